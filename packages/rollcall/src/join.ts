/** The three lines of the README: be a member, or know why not. */
import { type Cluster, ClusterError } from '@rollcall/core';
import type { NodeOptions } from './node-options.js';
import { checkShape, isObject, type OptionShape } from './option-shapes.js';
import { startNode } from './start-node.js';

export interface JoinOptions extends NodeOptions {
  /** Gives up waiting: the node leaves again before `join` rejects with `aborted`. No use after that. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves when this node is Up. Rejects with ClusterError `badSetting`, `cannotListen`, `joinRefused`,
 * `joinTimedOut` or `aborted`; nothing is left running then.
 */
export const join = (options: JoinOptions): Promise<Cluster> => joinBy(startNode, options);

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

const SIGNAL: OptionShape = {
  takes: 'an AbortSignal, such as AbortSignal.timeout(60_000)',
  fits: (value) =>
    isObject(value) &&
    typeof value.aborted === 'boolean' &&
    typeof value.addEventListener === 'function',
};
