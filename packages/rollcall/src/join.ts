/** The three lines of the README: be a member, or know why not. */
import { type Cluster, ClusterError, checkShape, isObject, SIGNAL } from '@rollcall/core';
import { type NodeOptions, refuseMore } from './node-options.js';
import { startNode } from './start-node.js';

export interface JoinOptions extends NodeOptions {
  /** Gives up waiting: the node leaves again before `join` rejects with `aborted`. No use after that. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when this node is Up. Rejects with ClusterError `badSetting`, `cannotListen`, `joinRefused`,
 * `joinTimedOut` or `aborted`; nothing is left running then.
 */
export function join(options: JoinOptions): Promise<Cluster>;
export async function join(options: JoinOptions, ...more: readonly unknown[]): Promise<Cluster> {
  refuseMore('join', more);
  return joinBy(startNode, options);
}

/** `join` with another way to start a node. */
export async function joinBy(
  start: (options: NodeOptions) => Promise<Cluster>,
  given: JoinOptions,
): Promise<Cluster> {
  // What is no object is named by those who start a node.
  if (!isObject(given)) return start(given);
  const { signal, ...options }: JoinOptions = given;
  checkShape('signal', signal, SIGNAL);
  if (signal?.aborted) throw new ClusterError('aborted', 'aborted before anything was started');
  const cluster = await start(options);
  try {
    await cluster.up(signal === undefined ? {} : { signal });
    return cluster;
  } catch (error) {
    await cluster.leave().catch(() => cluster.stop());
    throw error;
  }
}
