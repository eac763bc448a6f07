/** What the command touches of the process it runs in, so that a test can be that process. */
import type { Cluster, Logger } from '@rollcall/core';
import type { NodeOptions } from '../node-options.js';
import type { LogLevel } from '../pino-logger.js';

export interface World {
  /** stdout: answers. */
  readonly out: (text: string) => void;
  /** stderr: complaints. */
  readonly complain: (text: string) => void;
  /** Is stdout a terminal that can be redrawn. */
  readonly isTerminal: boolean;
  readonly createLogger: (level: LogLevel) => Promise<Logger>;
  readonly startNode: (options: NodeOptions) => Promise<Cluster>;
  readonly fetch: typeof fetch;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly wallTime: () => string;
  /** SIGTERM and SIGINT, until the returned function takes it back. */
  readonly onSignal: (run: (signal: string) => void) => () => void;
  /** Ends the process now, whatever is still open. */
  readonly exit: (code: number) => void;
}
