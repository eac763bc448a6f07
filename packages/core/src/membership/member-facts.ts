/** What a member may say about itself when it joins; the same limits where it is typed and where it arrives. */

/** Roles a member may have. */
export const ROLES_MAX = 64;

/** Characters of a word, and bytes of a unique address, at most. */
export const CHARACTERS_MAX = 64;
export const KEY_BYTES_MAX = 320;

/** A role, a cluster name or an application version: 1 to 64 letters, digits, dots, dashes, plus signs and underscores. */
export const isWord = (text: string): boolean => /^[\w.+-]{1,64}$/.test(text);

/** `ws://host:port` with a port that can be dialled, 1 to 65535, written in one way: no zeros before it. */
export function isAddress(text: string): boolean {
  const [, port] = /^wss?:\/\/[^\s#/\p{Cc}]{1,255}:([1-9]\d{0,4})$/u.exec(text) ?? [];
  return Number(port) <= PORT_MAX;
}

const PORT_MAX = 65_535;

/** `ws://host:port#uid`; nothing else is a unique address. */
export function isUniqueAddress(text: string): boolean {
  const [, address = ''] = /^([^#]*)#[0-9a-z]{1,32}$/.exec(text) ?? [];
  return isAddress(address);
}
