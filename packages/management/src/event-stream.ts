/**
 * Server-sent events: today's members first (`CurrentClusterState`), then each event as it happens.
 * A subscriber that does not read is dropped rather than waited for, and told so by the broken
 * stream: it reconnects and starts from the members of that day.
 */
import { interval, type Subscription } from 'rxjs';
import { membersAnswer } from './cluster-view.js';
import { eventAnswer, type eventTypes } from './event-view.js';
import type { ManagedCluster } from './managed-cluster.js';

export interface EventStreamLimits {
  /** Subscribers at once; further ones are answered 503. */
  readonly subscribers: number;
  /** Events waiting for one subscriber; beyond it the subscriber is dropped. */
  readonly queued: number;
  /** A comment this often keeps proxies from closing a quiet stream, and shows a dead client. */
  readonly keepAliveMs: number;
}

const EVENT_STREAM_LIMITS: EventStreamLimits = {
  subscribers: 32,
  queued: 256,
  keepAliveMs: 10_000,
};

export type EventFilter = Exclude<ReturnType<typeof eventTypes>, string>;

/** One per management: it counts its subscribers. */
export class EventStreams {
  readonly #cluster: ManagedCluster;
  readonly #limits: EventStreamLimits;
  #open = 0;

  constructor(cluster: ManagedCluster, limits: EventStreamLimits = EVENT_STREAM_LIMITS) {
    this.#cluster = cluster;
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#open >= this.#limits.subscribers;
  }

  /** Ends when the node stops (`Bye`), and fails its reader when it is too slow. */
  open(filter: EventFilter): ReadableStream<Uint8Array> {
    const cluster = this.#cluster;
    const limits = this.#limits;
    const subscriptions: Subscription[] = [];
    let isOpen = true;
    this.#open += 1;
    const end = () => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
      for (const each of subscriptions) each.unsubscribe();
    };
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const push = (text: string) => {
        if (!isOpen) return;
        controller.enqueue(utf8.encode(text));
        if ((controller.desiredSize ?? 0) > 0) return;
        end();
        controller.error(new Error(`dropped: ${limits.queued} events were waiting to be read`));
      };
      push(eventText('CurrentClusterState', membersAnswer(cluster)));
      const events = cluster.events$.subscribe({
        next: (event) => {
          if (!filter.has(event.type)) return;
          const body = eventAnswer(event);
          push(eventText(body.type, body));
        },
        complete: () => {
          if (!isOpen) return;
          end();
          controller.close();
        },
      });
      subscriptions.push(events);
      if (isOpen) subscriptions.push(interval(limits.keepAliveMs).subscribe(() => push(':\n\n')));
      else events.unsubscribe();
    };
    return new ReadableStream({ start, cancel: end }, { highWaterMark: limits.queued });
  }
}

const utf8 = new TextEncoder();

/** JSON has no line break of its own, so one `data` line holds it. */
const eventText = (type: string, body: object): string =>
  `event: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
