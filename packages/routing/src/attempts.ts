/**
 * Asks under way that may go to another routee. One whose member is no routee any more is given up at once: it would be
 * answered late or never, and another can answer now.
 */
import type { NodeKey } from '@rollcall/core';

export class Attempts {
  readonly #underWay = new Map<NodeKey, Set<AbortController>>();

  /**
   * Runs one with a signal that fires when the caller's does, or, if it may move on, when the member is no routee any more:
   * `gone` then.
   */
  async run<T>(
    node: NodeKey,
    outer: AbortSignal | undefined,
    mayMoveOn: boolean,
    ask: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<{ readonly answer: T } | 'gone'> {
    if (!mayMoveOn) return { answer: await ask(outer) };
    const controller = new AbortController();
    const abort = () => controller.abort(outer?.reason);
    if (outer?.aborted === true) abort();
    outer?.addEventListener('abort', abort, { once: true });
    const here = this.#underWay.get(node) ?? new Set();
    this.#underWay.set(node, here.add(controller));
    try {
      return { answer: await ask(controller.signal) };
    } catch (error) {
      if (controller.signal.aborted && outer?.aborted !== true) return 'gone';
      throw error;
    } finally {
      outer?.removeEventListener('abort', abort);
      here.delete(controller);
      if (here.size === 0) this.#underWay.delete(node);
    }
  }

  /** Gives up those that wait for members for whom this is false. */
  keep(isRoutee: (node: NodeKey) => boolean): void {
    for (const [node, controllers] of [...this.#underWay])
      if (!isRoutee(node)) for (const controller of [...controllers]) controller.abort();
  }
}
