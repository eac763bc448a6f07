/** A wait that its caller may give up through an AbortSignal. */
import { ClusterError } from './errors.js';

/** What a wait leaves behind to be undone when it is over, however it ends. */
export type Undo = () => void;

/** Rejects with ClusterError `aborted` when the signal fires; what was waited for may still happen. */
export async function abortable(
  signal: AbortSignal | undefined,
  wait: (resolve: () => void, reject: (error: unknown) => void) => Undo | undefined,
): Promise<void> {
  const undo: Undo[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        reject(new ClusterError('aborted', 'the wait was given up', {}, signal?.reason));
      };
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      undo.push(() => signal?.removeEventListener('abort', onAbort));
      const stopWaiting = wait(resolve, reject);
      if (stopWaiting !== undefined) undo.push(stopWaiting);
    });
  } finally {
    for (const each of undo) each();
  }
}
