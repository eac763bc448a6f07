/** A simulation that did not go as it had to: the seed that replays it, and every node's view. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
  readonly seed: number;
  readonly atMs: number;
  /** What went wrong, in one sentence. */
  readonly problem: string;

  constructor(seed: number, atMs: number, problem: string, report: string, cause?: unknown) {
    const text = `seed ${seed}, at ${atMs.toFixed(3)} ms: ${problem}\n${report}`;
    super(text, cause === undefined ? undefined : { cause });
    this.seed = seed;
    this.atMs = atMs;
    this.problem = problem;
  }
}
