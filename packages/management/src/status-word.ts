/** Akka's words for a member's status: what scripts written for Akka or Pekko Management expect. */
import type { MemberStatus } from '@rollcall/core';

const WORDS = {
  joining: 'Joining',
  weaklyUp: 'WeaklyUp',
  up: 'Up',
  leaving: 'Leaving',
  exiting: 'Exiting',
  down: 'Down',
  removed: 'Removed',
} as const satisfies Record<MemberStatus, string>;

export type StatusWord = (typeof WORDS)[MemberStatus];

export const statusWord = (status: MemberStatus): StatusWord => WORDS[status];
