/**
 * Many SWIM nodes and the datagrams between them, under virtual time: no frames, no links, nothing but
 * delay, loss and being cut off. Lean, because a study runs it for hundreds of virtual hours.
 */
import {
  Swim,
  type SwimDirective,
  type SwimInput,
  type SwimOptions,
} from '@rollcall/failure-detector';
import { EventQueue } from '../event-queue.js';
import { ScheduledEvent } from '../scheduled-event.js';
import { SeededRandom } from '../seeded-random.js';

type Packet = Exclude<SwimDirective, { readonly kind: 'verdict' }>;
type Verdict = Extract<SwimDirective, { readonly kind: 'verdict' }>;

/** One way: half a millisecond, and a little more by chance. */
const DELAY_MS = 0.5;
const JITTER_MEAN_MS = 0.1;

const WAKE: SwimInput = { kind: 'wake' };

export interface FleetOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly swim: SwimOptions;
  /** The share of datagrams that never arrive. */
  readonly loss?: number;
  readonly onVerdict?: (observer: number, verdict: Verdict, nowMs: number) => void;
}

export class SwimFleet {
  nowMs = 0;
  /** Steps of all nodes. */
  steps = 0;
  packets = 0;
  readonly nodes: readonly Swim[];
  readonly #queue = new EventQueue();
  readonly #wakes: (Wake | undefined)[] = [];
  readonly #armedMs: number[] = [];
  /** What a node that is cut off would have sent. */
  readonly #held: (Packet[] | undefined)[] = [];
  readonly #isCrashed: boolean[] = [];
  readonly #loss: number;
  readonly #chance: SeededRandom;
  readonly #onVerdict: FleetOptions['onVerdict'];

  constructor({ seed, nodes, swim, loss = 0, onVerdict }: FleetOptions) {
    this.#loss = loss;
    this.#chance = new SeededRandom(seed, 'network');
    this.nodes = Array.from({ length: nodes }, (_, self) => {
      const chance = new SeededRandom(seed, 'node', self);
      return new Swim({ self, options: swim, chance, nowMs: 0 });
    });
    for (let self = 0; self < nodes; self++) this.#armedMs.push(Number.POSITIVE_INFINITY);
    for (let self = 0; self < nodes; self++) {
      for (let member = 0; member < nodes; member++) {
        if (member !== self) this.step(self, { kind: 'meet', member, incarnation: 1 });
      }
    }
    this.#onVerdict = onVerdict;
  }

  /** Lets time go by. */
  run(untilMs: number): void {
    const queue = this.#queue;
    for (let atMs = queue.nextAtMs; atMs <= untilMs; atMs = queue.nextAtMs) {
      this.nowMs = atMs;
      (queue.pop() as ScheduledEvent).fire();
    }
    this.nowMs = untilMs;
  }

  /** From now on what it says waits, and what it is told is lost. Its clock goes on. */
  cutOff(node: number): void {
    this.#held[node] = [];
  }

  /** All that waited leaves at once. */
  reconnect(node: number): void {
    const held = this.#held[node] ?? [];
    this.#held[node] = undefined;
    for (const packet of held) this.#post(packet);
  }

  /** It does nothing any more. */
  crash(node: number): void {
    this.#isCrashed[node] = true;
  }

  step(self: number, input: SwimInput): void {
    if (this.#isCrashed[self] === true) return;
    this.steps++;
    const node = this.nodes[self] as Swim;
    const directives = node.step(input, this.nowMs);
    for (let index = 0; index < directives.length; index++) {
      const directive = directives[index] as SwimDirective;
      if (directive.kind === 'verdict') this.#onVerdict?.(self, directive, this.nowMs);
      else this.#send(directive);
    }
    this.#arm(self, node.wakeAtMs);
  }

  #send(packet: Packet): void {
    this.packets++;
    const held = this.#held[packet.from];
    if (held === undefined) this.#post(packet);
    else held.push(packet);
  }

  #post(packet: Packet): void {
    if (this.#loss > 0 && this.#chance.next() < this.#loss) return;
    const delayMs = DELAY_MS - JITTER_MEAN_MS * Math.log(1 - this.#chance.next());
    this.#queue.push(this.nowMs + delayMs, new Delivery(this, packet));
  }

  deliver(packet: Packet): void {
    if (this.#held[packet.to] === undefined) this.step(packet.to, packet);
  }

  /** One timer a node, and it may fire too early: then it is set anew. */
  #arm(self: number, wakeAtMs: number): void {
    if (wakeAtMs >= (this.#armedMs[self] as number)) return;
    const armed = this.#wakes[self];
    if (armed !== undefined) this.#queue.cancel(armed);
    const wake = new Wake(this, self);
    this.#wakes[self] = wake;
    this.#armedMs[self] = wakeAtMs;
    this.#queue.push(wakeAtMs, wake);
  }

  wake(self: number): void {
    this.#armedMs[self] = Number.POSITIVE_INFINITY;
    this.#wakes[self] = undefined;
    const { wakeAtMs } = this.nodes[self] as Swim;
    if (wakeAtMs <= this.nowMs) this.step(self, WAKE);
    else this.#arm(self, wakeAtMs);
  }
}

class Delivery extends ScheduledEvent {
  readonly #fleet: SwimFleet;
  readonly #packet: Packet;

  constructor(fleet: SwimFleet, packet: Packet) {
    super();
    this.#fleet = fleet;
    this.#packet = packet;
  }

  fire(): void {
    this.#fleet.deliver(this.#packet);
  }
}

class Wake extends ScheduledEvent {
  readonly #fleet: SwimFleet;
  readonly #node: number;

  constructor(fleet: SwimFleet, node: number) {
    super();
    this.#fleet = fleet;
    this.#node = node;
  }

  fire(): void {
    this.#fleet.wake(this.#node);
  }
}
