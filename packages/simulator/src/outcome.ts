/**
 * What became of something a node was asked to do. It settles while virtual time runs, so a script
 * never awaits it: it runs the simulation on and looks.
 */
export class Outcome {
  #state: 'pending' | 'done' | 'failed' = 'pending';
  #error: Error | undefined;

  constructor(asked: Promise<unknown>, settled: () => void) {
    asked.then(
      () => {
        this.#state = 'done';
        settled();
      },
      (error: unknown) => {
        this.#state = 'failed';
        this.#error = error instanceof Error ? error : new Error(String(error));
        settled();
      },
    );
  }

  get state(): 'pending' | 'done' | 'failed' {
    return this.#state;
  }

  /** Why it failed. */
  get error(): Error | undefined {
    return this.#error;
  }
}
