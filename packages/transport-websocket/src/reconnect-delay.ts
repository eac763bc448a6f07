/**
 * How long to wait before a lost link is dialled again: exponential, with full jitter, so that the
 * peers of a node that restarts do not all come back in one instant.
 */

export interface ReconnectLimits {
  readonly reconnectMin: number;
  readonly reconnectMax: number;
}

/** `attempt` counts the dials that failed since the last success; `chance` is uniform in [0, 1). */
export function reconnectDelay(attempt: number, chance: number, limits: ReconnectLimits): number {
  const { reconnectMin, reconnectMax } = limits;
  // Above 2^30 the product would only be cut by the maximum anyway.
  const ceiling = Math.min(reconnectMax, reconnectMin * 2 ** Math.min(attempt + 1, 30));
  return reconnectMin + chance * Math.max(0, ceiling - reconnectMin);
}
