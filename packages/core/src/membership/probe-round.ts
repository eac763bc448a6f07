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

/** Whom to tell: by the number of its own round, and the ways its questions came. */
interface Asker {
  readonly round: number;
  readonly isLinked: boolean;
  readonly isCast: boolean;
}

/** A member that this node looks for on behalf of others. */
export interface Relay {
  readonly id: number;
  readonly askers: Map<NodeKey, Asker>;
  readonly endsAtMs: number;
  repeatAtMs: number;
}
