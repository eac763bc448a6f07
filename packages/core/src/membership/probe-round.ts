/** What a node remembers of the questions it has asked others, and of those it was asked. */
import type { NodeKey } from '@rollcall/convergence';

/** One member's silence, put to others. */
export interface ProbeRound {
  readonly id: number;
  readonly startedMs: number;
  /** Until then the member alone is asked, and from then on others. */
  asksAtMs: number;
  endsAtMs: number;
  /** Who was asked and has answered nothing yet. */
  readonly pending: Set<NodeKey>;
  /** Of those who may know. */
  asked: 'nobody' | 'some' | 'all';
  repeatAtMs: number;
}

/** A member that this node looks for on behalf of others. */
export interface Relay {
  readonly id: number;
  /** Whom to tell: by the number of their own rounds, and which way. */
  readonly askers: Map<NodeKey, { readonly round: number; readonly wasCast: boolean }>;
  readonly endsAtMs: number;
  repeatAtMs: number;
}
