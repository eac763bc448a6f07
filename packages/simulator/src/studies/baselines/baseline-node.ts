/**
 * What the baselines have in common: a heartbeat an interval, a point of the interval of each node's own,
 * and a member that is not heard of for too long is dead until it is heard of again.
 */
import type { Datagram, FleetNode, FleetVerdict, Wake } from '../datagram-fleet.js';

export interface BaselinePacket extends Datagram {
  /** Heartbeat counters or verdicts by member, as the protocol has it; shared, never changed. */
  readonly about: readonly number[];
}

export interface BaselineVerdict extends FleetVerdict {
  readonly status: 'dead' | 'alive';
}

export interface BaselineOptions {
  readonly self: number;
  readonly nodes: number;
  readonly intervalMs: number;
  /** Silence after which a member is dead. */
  readonly patienceMs: number;
  /** Uniform in [0, 1). */
  readonly chance: { next(): number };
}

export type Directive = BaselinePacket | BaselineVerdict;

export abstract class BaselineNode implements FleetNode<BaselinePacket, BaselineVerdict> {
  wakeAtMs: number;
  protected readonly options: BaselineOptions;
  /** When each member was last heard of. */
  protected readonly heardMs: Float64Array;
  protected readonly isDead: Uint8Array;
  protected out: Directive[] = [];

  constructor(options: BaselineOptions) {
    this.options = options;
    this.wakeAtMs = options.intervalMs * options.chance.next();
    this.heardMs = new Float64Array(options.nodes);
    this.isDead = new Uint8Array(options.nodes);
  }

  step(input: BaselinePacket | Wake, nowMs: number): readonly Directive[] {
    this.out = [];
    if (input.kind === 'wake') {
      this.tick(nowMs);
      // A node that stood still does not catch up on what it has missed.
      while (this.wakeAtMs <= nowMs) this.wakeAtMs += this.options.intervalMs;
    } else {
      this.receive(input as BaselinePacket, nowMs);
    }
    return this.out;
  }

  /** Once an interval. */
  protected abstract tick(nowMs: number): void;
  protected abstract receive(packet: BaselinePacket, nowMs: number): void;

  protected send(to: number, kind: string, about: readonly number[] = []): void {
    this.out.push({ kind, from: this.options.self, to, about });
  }

  protected heard(member: number, nowMs: number): void {
    this.heardMs[member] = nowMs;
    this.hold(member, 'alive');
  }

  /** Declares a member dead if it has been silent for too long. */
  protected judge(member: number, nowMs: number): void {
    if (nowMs - (this.heardMs[member] as number) > this.options.patienceMs) {
      this.hold(member, 'dead');
    }
  }

  /** Is it news? */
  protected hold(member: number, status: 'dead' | 'alive'): boolean {
    const isDead = status === 'dead' ? 1 : 0;
    if (this.isDead[member] === isDead) return false;
    this.isDead[member] = isDead;
    this.out.push({ kind: 'verdict', member, status });
    return true;
  }
}
