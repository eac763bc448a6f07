/**
 * What can be said to have happened, in one word each: the third column of a trace, and what a filter
 * of its lines takes. A word that is not here is none.
 */
import type { ClusterEvent } from '@rollcall/core';

export type TraceWord =
  /** What is done to a node. */
  | ('start' | 'restart' | 'crash' | 'power' | 'pause' | 'resume' | 'leave' | 'down' | 'stop')
  /** What is done to the network: the stock faults, any other `rule`, and the end of one, or of all. */
  | ('partition' | 'cut' | 'isolate' | 'loss' | 'segments' | 'delay' | 'duplicate' | 'reorder')
  | ('rule' | 'ends' | 'heal')
  /** How the lease behaves from now on. */
  | 'lease'
  /** What becomes of a node's run, and what it logs. */
  | ('is' | 'ended' | 'failed' | 'info' | 'warn' | 'error')
  | ClusterEvent['type']
  | ('dialFailed' | 'refuses' | 'refused' | 'drops' | 'linkUp' | 'linkDown')
  /** A packet. */
  | 'sends';

/** With how much of it there is: links come and go all the time where few are wanted, and frames are kept only on demand. */
export const TRACE_WORDS: Readonly<Record<TraceWord, 'event' | 'link' | 'frame'>> = {
  start: 'event',
  restart: 'event',
  crash: 'event',
  power: 'event',
  pause: 'event',
  resume: 'event',
  leave: 'event',
  down: 'event',
  stop: 'event',
  partition: 'event',
  cut: 'event',
  isolate: 'event',
  loss: 'event',
  segments: 'event',
  delay: 'event',
  duplicate: 'event',
  reorder: 'event',
  rule: 'event',
  ends: 'event',
  heal: 'event',
  lease: 'event',
  is: 'event',
  ended: 'event',
  failed: 'event',
  info: 'event',
  warn: 'event',
  error: 'event',
  memberJoined: 'event',
  memberWeaklyUp: 'event',
  memberUp: 'event',
  memberLeft: 'event',
  memberExited: 'event',
  memberDowned: 'event',
  memberRemoved: 'event',
  memberSuspected: 'event',
  memberUnreachable: 'event',
  memberReachable: 'event',
  convergenceReached: 'event',
  convergenceLost: 'event',
  selfUp: 'event',
  selfRemoved: 'event',
  joinRefused: 'event',
  joinStalled: 'event',
  islandDetected: 'event',
  localPauseDetected: 'event',
  downingDecided: 'event',
  dialFailed: 'event',
  refuses: 'event',
  refused: 'event',
  drops: 'event',
  linkUp: 'link',
  linkDown: 'link',
  sends: 'frame',
};

const FAULTS = [
  ...(['partition', 'cut', 'isolate', 'loss', 'segments'] as const),
  ...(['delay', 'duplicate', 'reorder'] as const),
];

/** A fault as people write it, `cut a -> b`: its word, and the rest. Without a word that is known it is a rule. */
export function splitFault(text: string): readonly [word: TraceWord, about: string] {
  const [first, ...rest] = text.split(' ');
  const fault = FAULTS.find((each) => each === first);
  return fault === undefined ? ['rule', text] : [fault, rest.join(' ')];
}
