/**
 * The receiving end of a pool: so many workers at this node, each with one message at a time, and a bounded queue before
 * them. In Akka a pool router makes its routees and watches over them; here no node makes anything at another, so each
 * node that offers the role has its own workers, and any node a router over the role.
 */
import { type Cluster, ClusterError, checkShapes, type IncomingMessage } from '@rollcall/core';
import { whole } from './option-kinds.js';

export interface WorkersOptions {
  /** Workers at this node, 1 to 10000; 1 unless given: messages one after the other, as an actor takes them. */
  readonly size?: number;
  /**
   * Messages that may wait for a worker, 0 to 1000000; 1000 unless given, as a router lets so many wait. An ask beyond it
   * fails with `backPressure`, and a router with retries takes it elsewhere; a tell beyond it is dropped and counted.
   */
  readonly queueMax?: number;
  /** Which messages are theirs; all unless given. */
  readonly accepts?: (message: IncomingMessage) => boolean;
  /** Does the work. What it returns or resolves to answers an ask, what it throws fails it. `worker` is 0 to size - 1, and busy meanwhile. */
  readonly work: (body: unknown, worker: number, message: IncomingMessage) => unknown;
}

export interface Workers {
  readonly busy: number;
  readonly queued: number;
  /** Tells that found the queue full, and those whose work threw. */
  readonly dropped: number;
  readonly failed: number;
  /** Takes no more, and finishes what is queued. Idempotent. */
  close(): void;
}

const SHAPES = {
  size: whole(1, 10_000),
  queueMax: whole(0, 1_000_000),
  accepts: {
    takes: 'a function from a message to true or false',
    fits: (value: unknown) => typeof value === 'function',
  },
  work: {
    takes: 'a function from what was said to the answer',
    fits: (value: unknown) => typeof value === 'function',
    isNeeded: true,
  },
};

/** Workers for the messages of this node, until it stops or they are closed. Throws ClusterError `badSetting`. */
export function createWorkers(
  cluster: Pick<Cluster, 'messages$'>,
  options: WorkersOptions,
): Workers {
  checkShapes(options, SHAPES, '{ size: 4, work: (body) => body }');
  return new WorkerPool(cluster, options);
}

class WorkerPool implements Workers {
  dropped = 0;
  failed = 0;
  readonly #options: WorkersOptions;
  readonly #queueMax: number;
  readonly #size: number;
  readonly #idle: number[];
  /** Taken from the front by index, and cut when half of it is taken: a long queue costs no more a message than a short one. */
  #queue: IncomingMessage[] = [];
  #taken = 0;
  readonly #subscription: { unsubscribe(): void };

  constructor({ messages$ }: Pick<Cluster, 'messages$'>, options: WorkersOptions) {
    this.#options = options;
    this.#size = options.size ?? 1;
    this.#queueMax = options.queueMax ?? 1_000;
    this.#idle = Array.from({ length: this.#size }, (_, i) => this.#size - 1 - i);
    this.#subscription = messages$.subscribe((message) => {
      if (options.accepts?.(message) !== false) this.#take(message);
    });
  }

  get busy(): number {
    return this.#size - this.#idle.length;
  }

  get queued(): number {
    return this.#queue.length - this.#taken;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  #take(message: IncomingMessage): void {
    const worker = this.#idle.pop();
    if (worker !== undefined) void this.#work(message, worker);
    else if (this.queued < this.#queueMax) this.#queue.push(message);
    else this.#refuse(message);
  }

  #refuse(message: IncomingMessage): void {
    if (message.kind === 'tell') {
      this.dropped++;
      return;
    }
    const why = `${this.#queueMax} messages wait for a worker here already (queueMax)`;
    const error = new ClusterError('backPressure', why, { max: this.#queueMax });
    message.refuse(error).catch(() => {});
  }

  /** One message, and then whatever waits. */
  async #work(first: IncomingMessage, worker: number): Promise<void> {
    for (let next: IncomingMessage | undefined = first; next !== undefined; next = this.#next())
      await this.#one(next, worker);
    this.#idle.push(worker);
  }

  async #one(message: IncomingMessage, worker: number): Promise<void> {
    try {
      const answer = await this.#options.work(message.body, worker, message);
      if (message.kind === 'ask') await message.reply(answer);
    } catch (error) {
      this.failed++;
      // Whoever asked is gone if this fails as well, and hears of that by itself.
      if (message.kind === 'ask') await message.fail(error).catch(() => {});
    }
  }

  #next(): IncomingMessage | undefined {
    const next = this.#queue[this.#taken];
    if (next === undefined) return undefined;
    this.#taken++;
    if (2 * this.#taken >= this.#queue.length) {
      this.#queue = this.#queue.slice(this.#taken);
      this.#taken = 0;
    }
    return next;
  }
}
