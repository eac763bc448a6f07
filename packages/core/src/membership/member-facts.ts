/** What a member may say about itself when it joins; the same limits where it is typed and where it arrives. */

/** Roles a member may have. */
export const ROLES_MAX = 64;

/** A role, a cluster name or an application version: 1 to 64 letters, digits, dots, dashes, plus signs and underscores. */
export const isWord = (text: string): boolean => /^[\w.+-]{1,64}$/.test(text);

/** `ws://host:port#uid`; nothing else is a unique address. */
export const isUniqueAddress = (text: string): boolean =>
  /^wss?:\/\/[^\s#/\p{Cc}]{1,255}:\d{1,5}#[0-9a-z]{1,32}$/u.test(text);
