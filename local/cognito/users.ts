// The user pool: a stable UUID for each email address.
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

/**
 * A user as its tokens show it; `sub` is also its user name, as in a pool that signs in by email.
 */
export const User = z.object({ email: z.string(), sub: z.uuid() });
export type User = z.infer<typeof User>;

export interface Users {
  /** The user with this address, made on first sight; addresses differ by more than case. */
  byEmail(email: string): User;
  bySub(sub: string): User | undefined;
}

export function openUsers(db: DatabaseSync): Users {
  const insert = db.prepare('INSERT OR IGNORE INTO users (email, sub) VALUES (?, ?)');
  const selectByEmail = db.prepare('SELECT email, sub FROM users WHERE email = ?');
  const selectBySub = db.prepare('SELECT email, sub FROM users WHERE sub = ?');
  return {
    byEmail(email) {
      const address = email.toLowerCase();
      insert.run(address, randomUUID());
      return User.parse(selectByEmail.get(address));
    },
    bySub(sub) {
      return User.optional().parse(selectBySub.get(sub));
    },
  };
}
