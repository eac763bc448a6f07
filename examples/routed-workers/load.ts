/** Load on one router: asks two at a time, and counts who answered and what failed. */
import type { Router } from '@rollcall/routing';

export class Load {
  asked = 0;
  failed = 0;
  readonly #router: Router;
  readonly #onFailure: (why: string) => void;
  readonly #pending = new Set<Promise<unknown>>();
  #answers = new Map<string, number>();

  constructor(router: Router, onFailure: (why: string) => void) {
    this.#router = router;
    this.#onFailure = onFailure;
  }

  ask(): void {
    for (let i = 0; i < 2; i++) {
      this.asked++;
      const one = this.#router.ask('whoever', { timeoutMs: 1_000 }).then(
        (by) => this.#answers.set(String(by), (this.#answers.get(String(by)) ?? 0) + 1),
        (error: Error) => {
          this.failed++;
          this.#onFailure(error.message);
        },
      );
      this.#pending.add(one);
      one.then(() => this.#pending.delete(one));
    }
  }

  /** How many each of them answered since this was asked last. */
  shares(names: readonly string[]): readonly number[] {
    const answers = this.#answers;
    this.#answers = new Map();
    return names.map((name) => answers.get(name) ?? 0);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }
}
