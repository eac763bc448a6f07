/** What an acceptor remembers of a joiner that it has welcomed. */
import type { NodeKey, State } from '@rollcall/convergence';

/** A token handed to a joiner: the state it was welcomed with, and until when it may use it. */
export interface Welcome {
  readonly joiner: NodeKey;
  readonly state: State;
  readonly deadlineMs: number;
}
