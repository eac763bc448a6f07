/**
 * Messages of users between members: told at most once, in order from one node to another, or asked
 * and answered. Who is a member it reads from the published state; links it only asks for.
 */
import type { NodeKey } from '@rollcall/convergence';
import { Subject } from 'rxjs';
import type { Clock } from './clock.js';
import { type Envelope, failureOf, readEnvelope } from './envelope.js';
import { ClusterError } from './errors.js';
import type { Asked, IncomingMessage } from './incoming-message.js';
import type { Logger } from './logger.js';
import type { Settings } from './membership/setting-table.js';
import { type AskOptions, PendingAsks } from './pending-asks.js';
import type { Transport } from './transport.js';
import { WaitingLetters } from './waiting-letters.js';

/** What the messenger asks of the node it belongs to. */
export interface MessengerNode {
  readonly self: NodeKey;
  /** A member whose word is taken: known here, and not down. */
  isMember(node: NodeKey): boolean;
  /** A link to this member is wanted for a while. */
  correspond(node: NodeKey): void;
}

export interface MessengerPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class Messenger {
  readonly messages = new Subject<IncomingMessage>();
  readonly #node: MessengerNode;
  readonly #ports: MessengerPorts;
  readonly #settings: Settings;
  readonly #asks: PendingAsks;
  readonly #waiting: WaitingLetters;
  readonly #linked = new Set<NodeKey>();
  #unreadable = 0;
  #undecoded = 0;

  constructor(node: MessengerNode, ports: MessengerPorts, settings: Settings) {
    this.#node = node;
    this.#ports = ports;
    this.#settings = settings;
    this.#asks = new PendingAsks(ports.clock, settings.limits.asks);
    this.#waiting = new WaitingLetters(ports.clock, {
      linkTimeoutMs: settings.messages.linkTimeout,
      max: settings.limits.userOutbox,
    });
  }

  tell(to: NodeKey, body: unknown): Promise<void> {
    return this.#send(to, ['tell', body]);
  }

  ask(to: NodeKey, body: unknown, { timeoutMs, signal }: AskOptions = {}): Promise<unknown> {
    const withinMs = timeoutMs ?? this.#settings.messages.askTimeout;
    return this.#asks.ask(to, withinMs, signal, (id) => this.#send(to, ['ask', id, body]));
  }

  linked(peer: NodeKey): void {
    this.#linked.add(peer);
    this.#waiting.linked(peer);
  }

  unlinked(peer: NodeKey): void {
    this.#linked.delete(peer);
  }

  /** It was removed: nothing reaches it any more, and nothing comes back. */
  gone(node: NodeKey): void {
    const message = `${node} was removed; the message was not sent`;
    this.#waiting.refuse(node, new ClusterError('memberGone', message, { to: node }));
    this.#asks.gone(node);
  }

  end(why: string): void {
    const error = new ClusterError('stopped', `this node has stopped: ${why}`);
    this.#waiting.end(error);
    this.#asks.end(error);
    this.messages.complete();
  }

  received(from: NodeKey, value: unknown): void {
    const envelope = readEnvelope(value);
    if (envelope === undefined) return this.#isNoMessage(from);
    if (!this.#node.isMember(from)) {
      return this.#ports.logger.debug({ node: from }, 'a message of a node that is no member here');
    }
    switch (envelope[0]) {
      case 'tell':
        return this.messages.next(Object.freeze({ kind: 'tell', from, body: envelope[1] }));
      case 'ask':
        return this.#asked(from, envelope[1], envelope[2]);
      case 'answer':
        return this.#asks.answered(from, envelope[1], envelope[2]);
      case 'failed':
        return this.#asks.failed(from, envelope[1], envelope[2]);
      case 'refused':
        return this.#asks.failed(from, envelope[1], envelope[2], true);
    }
  }

  /** Whoever waits for it is told: the one who asked there, or here. */
  unreadable(from: NodeKey, [kind, id]: readonly unknown[], problem: string): void {
    const count = ++this.#undecoded;
    const facts = { node: from, count };
    if (Number.isInteger(Math.log10(count)))
      this.#ports.logger.warn(facts, `a message of ${from} cannot be read here: ${problem}`);
    if (!Number.isSafeInteger(id) || !this.#node.isMember(from)) return;
    const message = `${this.#node.self} cannot read it: ${problem}`;
    const failure = { name: 'TypeError', message, code: 'unreadable' };
    if (kind === 'ask') this.#send(from, ['refused', id as number, failure]).catch(() => {});
    if (kind === 'answer') this.#asks.failed(from, id as number, failure);
  }

  async #send(to: NodeKey, envelope: Envelope): Promise<void> {
    const post = this.#ports.transport.prepare(to, envelope);
    if (to === this.#node.self) return post();
    this.#node.correspond(to);
    return this.#linked.has(to) ? post() : this.#waiting.put(to, post);
  }

  #asked(from: NodeKey, id: number, body: unknown): void {
    let isAnswered = false;
    const answer = async (envelope: Envelope) => {
      if (isAnswered) return;
      isAnswered = true;
      try {
        await this.#send(from, envelope);
      } catch (error) {
        // Nothing was sent: there may be another answer that can be.
        isAnswered = false;
        throw error;
      }
    };
    const asked: Asked = {
      kind: 'ask',
      from,
      body,
      reply: (value) => answer(['answer', id, value]),
      fail: (error) => answer(['failed', id, failureOf(error)]),
      refuse: (error) => answer(['refused', id, failureOf(error)]),
    };
    if (this.messages.observed) return this.messages.next(Object.freeze(asked));
    const nobody = new ClusterError(
      'nobodyAnswers',
      `nobody listens for messages at ${this.#node.self}`,
    );
    asked.refuse(nobody).catch(() => {});
  }

  #isNoMessage(from: NodeKey): void {
    const count = ++this.#unreadable;
    if (!Number.isInteger(Math.log10(count))) return;
    this.#ports.logger.warn({ node: from, count }, 'dropped a user message that is none');
  }
}
