// Identifiers, codes, names and addresses: their form, how they are made, and how free text becomes
// one (protocol, section 2, "Identifiers and limits"). Time and randomness are arguments.
import * as z from 'zod';
import { limits } from './limits.ts';
import { text } from './text.ts';

const lowercaseCrockford = '0123456789abcdefghjkmnpqrstvwxyz';
const roomCodeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const bitsPerDigit = 5;

export type IdPrefix = 'r_' | 'm_' | 'c_';

function patternOf(prefix: IdPrefix): string {
  return `${prefix}[0-9a-z]{${limits.idCharactersMin},${limits.idCharactersMax}}`;
}

function idOf(prefix: IdPrefix) {
  return z.string().regex(new RegExp(`^${patternOf(prefix)}$`), {
    error: `expected an ID that starts with ${prefix}`,
  });
}

export const RoomId = idOf('r_');
export type RoomId = z.infer<typeof RoomId>;

export const MessageId = idOf('m_');
export type MessageId = z.infer<typeof MessageId>;

/** Conversation ID that the remote connector makes at each join. */
export const ConnectorConversationId = idOf('c_');
export type ConnectorConversationId = z.infer<typeof ConnectorConversationId>;

/** A conversation of the remote connector, as the text that join gives and later calls repeat. */
export const ConversationHandle = z
  .string()
  .regex(new RegExp(`^${patternOf('r_')}\\.${patternOf('c_')}$`), {
    error: 'expected the conversation handle that join returned',
  })
  .transform((handle) => {
    const dot = handle.indexOf('.');
    return { room: handle.slice(0, dot), conversation: handle.slice(dot + 1) };
  });
export type ConversationHandle = z.infer<typeof ConversationHandle>;

export function formatConversationHandle({ room, conversation }: ConversationHandle): string {
  return `${room}.${conversation}`;
}

/** The host's own conversation ID: visible ASCII, never guessed. */
export const ConversationId = z
  .string()
  .regex(/^[\x21-\x7e]+$/, { error: 'expected visible ASCII characters' })
  .max(limits.conversationIdCharacters);
export type ConversationId = z.infer<typeof ConversationId>;

const idTimeDigits = 10;
const idRandomDigits = 16;

/** A new ID that sorts by time: 10 digits of milliseconds, then 16 of at least 10 random bytes. */
export function mintId(prefix: IdPrefix, nowMs: number, random: Uint8Array): string {
  let time = '';
  let rest = nowMs;
  while (time.length < idTimeDigits) {
    time = lowercaseCrockford.charAt(rest % lowercaseCrockford.length) + time;
    rest = Math.floor(rest / lowercaseCrockford.length);
  }
  return `${prefix}${time}${encode(random, idRandomDigits, lowercaseCrockford)}`;
}

/** A new room code in canonical form from at least 5 random bytes; 32 letters, so without bias. */
export function mintRoomCode(random: Uint8Array): string {
  return encode(random, limits.roomCodeCharacters, roomCodeAlphabet);
}

/** Writes the first `length * 5` bits as digits of a 32-letter alphabet. */
function encode(bytes: Uint8Array, length: number, alphabet: string): string {
  if (bytes.length * 8 < length * bitsPerDigit) {
    throw new RangeError(`${length} digits need ${Math.ceil((length * bitsPerDigit) / 8)} bytes`);
  }
  let digits = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= bitsPerDigit && digits.length < length) {
      bits -= bitsPerDigit;
      digits += alphabet.charAt((value >> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return digits;
}

/** The form in which codes are compared and stored: upper case, letters and digits only. */
export function normalizeRoomCode(code: string): string {
  return code.replace(/[^0-9a-z]/gi, '').toUpperCase();
}

/** The form in which a code is shown, `XXXX-XXXX`; takes any form. */
export function formatRoomCode(code: string): string {
  return normalizeRoomCode(code).replace(/.{4}(?=.)/g, '$&-');
}

/** A room code as people and agents type it; parses to its canonical form. */
export const RoomCode = text(
  limits.roomCodeTextCharactersMin,
  limits.roomCodeTextCharactersMax,
).transform(normalizeRoomCode);
export type RoomCode = z.infer<typeof RoomCode>;

const { handleCharactersMin, handleCharactersMax } = limits;
const handlePattern = `[a-z][a-z0-9_]{${handleCharactersMin - 1},${handleCharactersMax - 1}}`;
const memberNamePattern = '[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?';

/** Words that would speak for the Hub, for someone in authority, or to everyone. */
const reservedHandles: ReadonlySet<string> = new Set(
  `abuse account admin administrator all anonymous anyone api app auth billing everybody everyone
  health help here hub legal login logout mcp mod moderator nobody noreply null oauth official
  operator owner postmaster privacy register root security self server settings signin signup staff
  superuser support sysadmin system tandry team undefined unknown web webmaster website www
  you`.split(/\s+/),
);

/** A handle that an account may claim. */
export const Handle = z
  .string()
  .regex(new RegExp(`^${handlePattern}$`), {
    error: 'expected 3 to 24 of a-z, 0-9 and _, starting with a letter',
  })
  .refine((handle) => !reservedHandles.has(handle), { error: 'this handle is reserved' });
export type Handle = z.infer<typeof Handle>;

export const MemberName = z.string().regex(new RegExp(`^${memberNamePattern}$`), {
  error: 'expected 1 to 40 of a-z, 0-9 and -, with no hyphen first or last',
});
export type MemberName = z.infer<typeof MemberName>;

/** Turns free text into a member name: `Réfactor the Hub!` to `refactor-the-hub`; a name stays. */
export function slugMemberName(freeText: string): string | undefined {
  if (MemberName.safeParse(freeText).success) return freeText;
  const slug = freeText
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, limits.memberNameCharacters)
    .replace(/-$/, '');
  return slug === '' ? undefined : slug;
}

/**
 * `handle/name`, unique within a room. Reserved handles pass: the list may grow after an account
 * has claimed its handle.
 */
export const Address = z.string().regex(new RegExp(`^${handlePattern}/${memberNamePattern}$`), {
  error: 'expected an address such as henry/hub-refactor',
});
export type Address = z.infer<typeof Address>;

/** An address, or the bare name of a member of the caller's own account. */
export const MemberReference = z
  .string()
  .regex(new RegExp(`^(?:${handlePattern}/)?${memberNamePattern}$`), {
    error: 'expected a member name or an address such as henry/hub-refactor',
  });
export type MemberReference = z.infer<typeof MemberReference>;

export interface AddressParts {
  handle: string;
  name: string;
}

export function formatAddress({ handle, name }: AddressParts): Address {
  return `${handle}/${name}`;
}

/** Undefined if the text is no address. */
export function parseAddress(address: string): AddressParts | undefined {
  if (!Address.safeParse(address).success) return undefined;
  const slash = address.indexOf('/');
  return { handle: address.slice(0, slash), name: address.slice(slash + 1) };
}

/** The address that a reference means when an account with this handle makes it. */
export function resolveReference(reference: MemberReference, ownHandle: string): Address {
  return reference.includes('/')
    ? reference
    : formatAddress({ handle: ownHandle, name: reference });
}
