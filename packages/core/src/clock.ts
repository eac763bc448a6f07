/**
 * The Clock port: the only door through which time enters a node. Membership is told monotonic
 * milliseconds (`nowMs`); wall-clock time exists for logs and the HTTP view alone.
 */

export interface Clock {
  /** Monotonic milliseconds since an arbitrary origin; never goes back. */
  nowMs(): number;
  /** Calls `run` once, `afterMs` (>= 0) from now. The returned function takes it back; calling it late is harmless. */
  schedule(afterMs: number, run: () => void): () => void;
}
