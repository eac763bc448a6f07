/**
 * What an adapter says about an actor library at one node: three questions, and nothing that only one library knows. An
 * actor is found by a path, takes messages, and can be watched until it stops.
 */
import type { NodeKey } from '@rollcall/core';

/** Where an actor is. Plain data: it survives in messages, and that is how references travel. */
export interface ActorRef {
  /** Its unique address: a certain run, which the same path at the same address in the next run is not. */
  readonly node: NodeKey;
  /** As the adapter at that node understands it. */
  readonly path: string;
}

export interface Delivery {
  /** The node that the message came from. */
  readonly from: NodeKey;
  /** An answer is awaited. What `deliver` returns or resolves to is the answer, what it throws the failure. */
  readonly isAsk: boolean;
}

/** One actor of this node, as long as it runs. */
export interface LocalActor {
  /** Hands it one message. */
  deliver(message: unknown, delivery: Delivery): unknown;
  /** Calls `stopped` once when it has stopped. The returned function takes that back. */
  watch(stopped: () => void): () => void;
}

/** Implemented once for an actor library; `createActors` does the rest. */
export interface ActorSystemBridge {
  /**
   * The actor at a path of this node; undefined if there is none. It may start it, which is how entities come to life. What it
   * throws fails an ask, such as that the entity is at another node.
   */
  resolve(path: string): LocalActor | undefined;
}
