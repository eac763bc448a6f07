/** What a connection is for, the words both ends use for it, and how it is closed. */

/** `probe` asks who is there and hangs up. */
export type Lane = 'control' | 'user' | 'probe';

export const SUBPROTOCOL = 'rollcall.1';

/** The lane is in the path so that each has its own size limit before a byte of it is read. */
export const pathOf: Readonly<Record<Lane, string>> = {
  control: '/',
  probe: '/',
  user: '/user',
};

export const lanesOf = (path: string): readonly Lane[] | undefined => {
  if (path === '/') return ['control', 'probe'];
  return path === '/user' ? ['user'] : undefined;
};

/** Close codes; those from 4000 on are ours, the others have their meaning of RFC 6455. */
export const CLOSE = {
  done: 1000,
  goingAway: 1001,
  badFrame: 1002,
  wrongKind: 1003,
  undecodable: 1007,
  overLimit: 1008,
  tooBig: 1009,
  refused: 4000,
  /** Another link of the pair stays. */
  duplicate: 4001,
  /** This node goes by another unique address now. */
  identity: 4002,
  timeout: 4003,
} as const;

const reasonBytesMax = 123;

/** A close reason has little room; what does not fit is cut between two characters. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= reasonBytesMax) return text;
  return bytes.subarray(0, reasonBytesMax).toString().replace(/�+$/, '');
}
