/** A process to run the command in: everything it does is kept, and its signals are the test's. */
import type { Cluster } from '@rollcall/core';
import { management } from '@rollcall/management';
import { FakeCluster } from '../fake-cluster.testing.js';
import type { NodeOptions } from '../node-options.js';
import { runCommand } from './program.js';
import type { World } from './world.js';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

export class FakeWorld implements World {
  readonly cluster = new FakeCluster();
  /** What a node was started with. */
  started: NodeOptions | undefined;
  startFails: Error | undefined;
  isTerminal = false;
  printed = '';
  complained = '';
  readonly logged: LogLine[] = [];
  readonly exits: number[] = [];
  waits = 0;
  #onSignal: ((signal: string) => void) | undefined;
  #handler = management(this.cluster, { access: { write: true, loopback: true } });

  run = (...args: string[]): Promise<number> => runCommand(args, '9.9.9', this);

  signal(name = 'SIGTERM'): void {
    this.#onSignal?.(name);
  }

  get hears(): boolean {
    return this.#onSignal !== undefined;
  }

  out = (text: string): void => {
    this.printed += text;
  };
  complain = (text: string): void => {
    this.complained += text;
  };
  exit = (code: number): void => {
    this.exits.push(code);
  };
  wallTime = (): string => '12:00:00.000';
  wait = async (): Promise<void> => {
    this.waits += 1;
  };
  onSignal = (run: (signal: string) => void): (() => void) => {
    this.#onSignal = run;
    return () => {
      this.#onSignal = undefined;
    };
  };
  createLogger: World['createLogger'] = async () => {
    const at = (level: string) => (facts: object, message: string) => {
      this.logged.push({ level, message, ...facts });
    };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  };
  startNode = async (options: NodeOptions): Promise<Cluster> => {
    this.started = options;
    if (this.startFails !== undefined) throw this.startFails;
    return this.cluster;
  };
  /** Asks the management of the fake cluster, without a socket. */
  fetch: typeof fetch = (input, init) => this.#handler(new Request(input as string, init));

  /** Who answers `fetch` from now on. */
  answer(handler: (request: Request) => Promise<Response>): void {
    this.#handler = handler;
  }
}
