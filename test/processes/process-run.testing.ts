/** One process of a test: how it is started, told things, and found out about. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Loaded before the program itself: when the test's own process is gone, however it went, so is this
 * one. The channel alone keeps nobody running who has nothing left to do.
 */
const TETHER = `data:text/javascript,${encodeURIComponent(
  `process.on('disconnect', () => process.exit(1)); process.channel?.unref();`,
)}`;

/** A line of a node's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly event?: string;
  readonly node?: string;
  readonly uid?: string;
  readonly why?: string;
  readonly reason?: string;
  readonly exitCode?: number;
  readonly observedBy?: readonly string[];
}

const running = new Set<ProcessRun>();
process.on('exit', () => {
  for (const run of running) run.signal('SIGKILL');
});

export class ProcessRun {
  readonly title: string;
  /** The exit code, or the signal that ended it; undefined while it runs. */
  ended: number | string | undefined;
  readonly gone: Promise<void>;
  readonly #child: ChildProcess;
  readonly #files: { readonly out: string; readonly err: string };

  /** `files` is where its output goes: a path without an ending. */
  constructor(title: string, files: string, script: string, args: readonly string[]) {
    this.title = title;
    this.#files = { out: `${files}.out`, err: `${files}.err` };
    const [out, err] = [openSync(this.#files.out, 'w'), openSync(this.#files.err, 'w')];
    this.#child = spawn(process.execPath, ['--import', TETHER, script, ...args], {
      cwd: ROOT,
      stdio: ['ignore', out, err, 'ipc'],
    });
    closeSync(out);
    closeSync(err);
    running.add(this);
    this.gone = new Promise((resolve) => {
      const end = (how: number | string) => {
        this.ended ??= how;
        running.delete(this);
        resolve();
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(code ?? signal ?? 'unknown'));
    });
  }

  signal(signal: NodeJS.Signals): void {
    if (this.ended !== undefined) return;
    if (signal === 'SIGSTOP') this.#guard();
    this.#child.kill(signal);
  }

  /** A stopped process does not notice that its test is gone: a shell does, and ends it. */
  #guard(): void {
    const guard = spawn('sh', ['-c', `read -r _; kill -9 ${this.#child.pid}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    void this.gone.then(() => guard.kill('SIGKILL'));
  }

  get out(): string {
    return readFileSync(this.#files.out, 'utf8');
  }

  get err(): string {
    return readFileSync(this.#files.err, 'utf8');
  }

  /** What it logged so far, the last line last. */
  get log(): readonly LogLine[] {
    return jsonLines<LogLine>(this.err);
  }

  /** What a program printed, a JSON value a line. One that failed prints nothing more: it is not waited for. */
  printed<T>(): readonly T[] {
    const hasFailed = typeof this.ended === 'number' && this.ended !== 0;
    if (hasFailed) throw new Error(`${this.title} ended with ${this.ended}: ${this.err}`);
    return jsonLines<T>(this.out);
  }
}

/** A line that is still being written is left out. */
function jsonLines<T>(text: string): readonly T[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as T] : []));
}
