/**
 * Many nodes and the datagrams between them, under virtual time: no frames, no links, nothing but delay,
 * loss, being cut off and standing still. Lean, because a study runs it for hundreds of virtual hours.
 */
import { EventQueue } from '../event-queue.js';
import { ScheduledEvent } from '../scheduled-event.js';
import { SeededRandom } from '../seeded-random.js';

/** One datagram of whatever protocol. */
export interface Datagram {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** What a node holds of a member has changed. */
export interface FleetVerdict {
  readonly kind: 'verdict';
  readonly member: number;
  readonly status: string;
}

/** Time has come to a node's `wakeAtMs`. */
export interface Wake {
  readonly kind: 'wake';
}

/** One node as a machine; packets and verdicts come out of each step. */
export interface FleetNode<Packet extends Datagram, Verdict extends FleetVerdict> {
  readonly wakeAtMs: number;
  step(input: Packet | Wake, nowMs: number): readonly (Packet | Verdict)[];
}

/** The share of datagrams from one node to another that are lost at a moment, 0 to 1. */
export type LossOf = (from: number, to: number, nowMs: number) => number;

export interface DatagramFleetOptions<Node, Verdict> {
  readonly seed: number;
  readonly nodes: readonly Node[];
  /** The same for all, or a function; 0 unless given. */
  readonly loss?: number | LossOf;
  readonly onVerdict?: (observer: number, verdict: Verdict, nowMs: number) => void;
}

/** One way: half a millisecond, and a little more by chance. */
const DELAY_MS = 0.5;
const JITTER_MEAN_MS = 0.1;

const WAKE: Wake = { kind: 'wake' };

export class DatagramFleet<
  Packet extends Datagram,
  Verdict extends FleetVerdict,
  Node extends FleetNode<Packet, Verdict>,
> {
  nowMs = 0;
  /** Steps of all nodes. */
  steps = 0;
  packets = 0;
  readonly nodes: readonly Node[];
  protected onVerdict: DatagramFleetOptions<Node, Verdict>['onVerdict'];
  readonly #queue = new EventQueue();
  readonly #wakes: (WakeUp | undefined)[] = [];
  readonly #armedMs: number[] = [];
  /** What a node that is cut off would have sent. */
  readonly #held: (Packet[] | undefined)[] = [];
  /** What a node that stands still would have been given, its timer first. */
  readonly #missed: (Packet[] | undefined)[] = [];
  readonly #isCrashed: boolean[] = [];
  readonly #loss: number;
  readonly #lossOf: LossOf | undefined;
  readonly #chance: SeededRandom;

  constructor({ seed, nodes, loss = 0, onVerdict }: DatagramFleetOptions<Node, Verdict>) {
    this.#loss = typeof loss === 'number' ? loss : 0;
    this.#lossOf = typeof loss === 'number' ? undefined : loss;
    this.#chance = new SeededRandom(seed, 'network');
    this.nodes = nodes;
    this.onVerdict = onVerdict;
    for (let self = 0; self < nodes.length; self++) this.#armedMs.push(Number.POSITIVE_INFINITY);
  }

  /** Sets the first timer of nodes that nobody has to tell anything first. */
  start(): void {
    for (let self = 0; self < this.nodes.length; self++) {
      this.#arm(self, (this.nodes[self] as Node).wakeAtMs);
    }
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

  /** SIGSTOP: neither timer nor packet reaches it until `resume`. */
  pause(node: number): void {
    this.#missed[node] ??= [];
  }

  /** SIGCONT: first the timer that fell due, then what lies in its socket, in order of arrival. */
  resume(node: number): void {
    const missed = this.#missed[node];
    if (missed === undefined) return;
    this.#missed[node] = undefined;
    this.wake(node);
    for (const packet of missed) this.deliver(packet);
  }

  step(self: number, input: Packet | Wake): void {
    if (this.#isCrashed[self] === true) return;
    this.steps++;
    const node = this.nodes[self] as Node;
    const directives = node.step(input, this.nowMs);
    for (let index = 0; index < directives.length; index++) {
      const directive = directives[index] as Packet | Verdict;
      if (isVerdict(directive)) this.onVerdict?.(self, directive, this.nowMs);
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
    const loss = this.#lossOf?.(packet.from, packet.to, this.nowMs) ?? this.#loss;
    if (loss > 0 && this.#chance.next() < loss) return;
    const delayMs = DELAY_MS - JITTER_MEAN_MS * Math.log(1 - this.#chance.next());
    this.#queue.push(this.nowMs + delayMs, new Delivery(this, packet));
  }

  deliver(packet: Packet): void {
    const missed = this.#missed[packet.to];
    if (missed !== undefined) missed.push(packet);
    else if (this.#held[packet.to] === undefined) this.step(packet.to, packet);
  }

  /** One timer a node, and it may fire too early: then it is set anew. */
  #arm(self: number, wakeAtMs: number): void {
    if (wakeAtMs >= (this.#armedMs[self] as number)) return;
    const armed = this.#wakes[self];
    if (armed !== undefined) this.#queue.cancel(armed);
    const wake = new WakeUp(this, self);
    this.#wakes[self] = wake;
    this.#armedMs[self] = wakeAtMs;
    this.#queue.push(wakeAtMs, wake);
  }

  wake(self: number): void {
    this.#armedMs[self] = Number.POSITIVE_INFINITY;
    this.#wakes[self] = undefined;
    if (this.#missed[self] !== undefined) return;
    const { wakeAtMs } = this.nodes[self] as Node;
    if (wakeAtMs <= this.nowMs) this.step(self, WAKE);
    else this.#arm(self, wakeAtMs);
  }
}

const isVerdict = <Packet extends Datagram, Verdict extends FleetVerdict>(
  directive: Packet | Verdict,
): directive is Verdict => directive.kind === 'verdict';

/** What an event knows of its fleet. */
interface Deliverer<Packet> {
  deliver(packet: Packet): void;
}

class Delivery<Packet> extends ScheduledEvent {
  readonly #fleet: Deliverer<Packet>;
  readonly #packet: Packet;

  constructor(fleet: Deliverer<Packet>, packet: Packet) {
    super();
    this.#fleet = fleet;
    this.#packet = packet;
  }

  fire(): void {
    this.#fleet.deliver(this.#packet);
  }
}

class WakeUp extends ScheduledEvent {
  readonly #fleet: { wake(node: number): void };
  readonly #node: number;

  constructor(fleet: { wake(node: number): void }, node: number) {
    super();
    this.#fleet = fleet;
    this.#node = node;
  }

  fire(): void {
    this.#fleet.wake(this.#node);
  }
}
