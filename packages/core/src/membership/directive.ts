/** All that a node can ask for. The driver obeys each, in order, in one place. */
import type { Digest, NodeKey } from '@rollcall/convergence';
import type { ClusterEvent, StopReason } from './cluster-event.js';
import type { CommandProblem } from './command-problem.js';
import type { Timer } from './input.js';
import type { ClusterState } from './member-view.js';
import type { Message } from './message.js';

export type Directive =
  | {
      readonly kind: 'send';
      readonly to: NodeKey;
      readonly message: Message;
      readonly slot: 'heartbeat' | 'gossip' | 'urgent';
    }
  /** Beside the links where there is a way: it waits for nothing that was lost before it, and is not sent again. */
  | { readonly kind: 'cast'; readonly to: NodeKey; readonly message: Message }
  /** Keep a link to whoever answers there, until `unlink`. */
  | { readonly kind: 'link'; readonly address: string }
  | { readonly kind: 'unlink'; readonly address: string }
  /** Closes the link to a peer that is silent; a wanted one is dialled anew. */
  | { readonly kind: 'drop'; readonly peer: NodeKey; readonly reason: string }
  /** Replaces a timer of the same kind. */
  | { readonly kind: 'arm'; readonly timer: Timer; readonly afterMs: number }
  /** This node is `self` from now on; links made under another unique address are closed. */
  | { readonly kind: 'identify'; readonly self: NodeKey }
  | { readonly kind: 'resolve'; readonly seeds: readonly string[] }
  | { readonly kind: 'probe'; readonly address: string }
  /** To whom is the tie of this configuration granted: to `owner`, if to nobody yet. */
  | { readonly kind: 'askLease'; readonly configuration: Digest; readonly owner: NodeKey }
  | { readonly kind: 'emit'; readonly event: ClusterEvent }
  /** The state subscribers see, after the events that led to it. */
  | { readonly kind: 'publish'; readonly state: ClusterState }
  /** Whose work fails though it is heard, as far as this node's user reports. */
  | { readonly kind: 'degraded'; readonly nodes: ReadonlySet<NodeKey> }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn';
      readonly message: string;
      readonly facts: object;
    }
  /** The outcome of a command given with this ticket. */
  | {
      readonly kind: 'answer';
      readonly ticket: number;
      readonly problem: CommandProblem | undefined;
    }
  /** The run is over: nothing more will be asked for, whatever comes in. */
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly message: string };
