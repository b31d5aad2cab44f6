// What oidc-provider remembers (sessions, codes, grants, refresh tokens), as rows of the state
// file.
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import * as z from 'zod';

const Row = z.object({ payload: z.string() }).optional();
const epochSeconds = () => Math.floor(Date.now() / 1000);

// An ID is the secret itself (a refresh token, a code, a session cookie): only its hash is kept.
const hashed = (id: string) => createHash('sha256').update(id).digest('base64url');

/** The rows of one model; expired ones are removed as others are written. */
export function recordAdapter(db: DatabaseSync, model: string): Adapter {
  const write = db.prepare(
    `INSERT OR REPLACE INTO records (model, id, payload, grant_id, uid, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const sweep = db.prepare('DELETE FROM records WHERE expires_at <= ?');
  const read = db.prepare('SELECT payload FROM records WHERE model = ? AND id = ?');
  const readByUid = db.prepare('SELECT payload FROM records WHERE model = ? AND uid = ?');
  const consume = db.prepare(
    `UPDATE records SET payload = json_set(payload, '$.consumed', ?) WHERE model = ? AND id = ?`,
  );
  const remove = db.prepare('DELETE FROM records WHERE model = ? AND id = ?');
  const removeByGrant = db.prepare('DELETE FROM records WHERE model = ? AND grant_id = ?');

  const parse = (row: unknown): AdapterPayload | undefined => {
    const found = Row.parse(row);
    return found && JSON.parse(found.payload);
  };

  return {
    async upsert(id, { jti: _, ...payload }, expiresInSeconds) {
      const now = epochSeconds();
      sweep.run(now);
      const expiresAt = expiresInSeconds === undefined ? null : now + expiresInSeconds;
      const { grantId = null, uid = null } = payload;
      write.run(model, hashed(id), JSON.stringify(payload), grantId, uid, expiresAt);
    },
    async find(id) {
      const payload = parse(read.get(model, hashed(id)));
      return payload && { ...payload, jti: id };
    },
    async findByUid(uid) {
      return parse(readByUid.get(model, uid));
    },
    async findByUserCode() {
      return undefined;
    },
    async consume(id) {
      consume.run(epochSeconds(), model, hashed(id));
    },
    async destroy(id) {
      remove.run(model, hashed(id));
    },
    async revokeByGrantId(grantId) {
      removeByGrant.run(model, grantId);
    },
  };
}
