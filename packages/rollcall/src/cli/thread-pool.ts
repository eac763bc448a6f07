/** Threads that share work: whoever is done gets the next task. */
import { type MessagePort, Worker } from 'node:worker_threads';

export interface Work<Task, News> {
  /** The next one to be done; undefined when there is none. */
  readonly next: () => Task | undefined;
  readonly tell: (news: News) => void;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** What a thread runs: `serveTasks` around the same as `alone`. */
  readonly worker: URL;
  /** Does a task in this thread. */
  readonly alone: (task: Task, tell: (news: News) => void) => Promise<void>;
}

/** What a thread says: its news, each in a box, and that it is free. */
type FromWorker<News> = { readonly news: News } | { readonly isDone: true };

/** Resolves when all is done; rejects when a thread breaks. A single one needs no thread. */
export async function shareOut<Task, News>(jobs: number, work: Work<Task, News>): Promise<void> {
  if (jobs > 1) {
    await Promise.all(Array.from({ length: jobs }, () => thread(work)));
    return;
  }
  const { next, alone, tell, signal } = work;
  for (let task = next(); task !== undefined && !signal.aborted; task = next()) {
    await alone(task, tell);
    // Lets a signal through between tasks that never wait for anything.
    await new Promise((turn) => setImmediate(turn));
  }
}

function thread<Task, News>({ next, tell, signal, worker: url }: Work<Task, News>): Promise<void> {
  const worker = new Worker(url);
  const goOn = () => {
    const task = next();
    if (task === undefined) void worker.terminate();
    else worker.postMessage(task);
  };
  return new Promise((resolve, reject) => {
    const end = () => void worker.terminate();
    signal.addEventListener('abort', end);
    worker.on('message', (said: FromWorker<News>) => ('isDone' in said ? goOn() : tell(said.news)));
    worker.on('error', reject);
    worker.on('exit', () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    goOn();
  });
}

/** A thread's whole life: one task after another, as it is told. */
export function serveTasks<Task, News>(
  port: MessagePort | null,
  perform: (task: Task, tell: (news: News) => void) => Promise<void>,
): void {
  port?.on('message', async (task: Task) => {
    await perform(task, (news) => port.postMessage({ news }));
    port.postMessage({ isDone: true });
  });
}
