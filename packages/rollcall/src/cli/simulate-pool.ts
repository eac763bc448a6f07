/** Threads that share the seeds of a swarm: whoever is done gets the next one. */
import { Worker } from 'node:worker_threads';
import { loadSimulator } from './simulate-package.js';
import { liveThrough, type SeedNews } from './simulate-seed.js';

type FromWorker = SeedNews | { readonly kind: 'done' };

export interface Seeds {
  /** The next one to be lived through; undefined when there is none. */
  readonly next: () => number | undefined;
  readonly tell: (news: SeedNews) => void;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** Resolves when all seeds are done; rejects when a thread breaks. A single one needs no thread. */
export async function shareOut(jobs: number, seeds: Seeds): Promise<void> {
  if (jobs === 1) return alone(seeds);
  await Promise.all(Array.from({ length: jobs }, () => thread(seeds)));
}

async function alone({ next, tell, signal }: Seeds): Promise<void> {
  const simulator = await loadSimulator();
  for (let seed = next(); seed !== undefined && !signal.aborted; seed = next()) {
    await liveThrough(seed, simulator, tell);
  }
}

function thread({ next, tell, signal }: Seeds): Promise<void> {
  const worker = new Worker(new URL('./simulate-worker.js', import.meta.url));
  const goOn = () => {
    const seed = next();
    if (seed === undefined) void worker.terminate();
    else worker.postMessage(seed);
  };
  return new Promise((resolve, reject) => {
    const end = () => void worker.terminate();
    signal.addEventListener('abort', end);
    worker.on('message', (news: FromWorker) => (news.kind === 'done' ? goOn() : tell(news)));
    worker.on('error', reject);
    worker.on('exit', () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    goOn();
  });
}
