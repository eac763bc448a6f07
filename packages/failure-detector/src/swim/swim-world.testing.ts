/** A few SWIM nodes on a network that takes a millisecond, and loses what a test says. */
import { Swim } from './swim.js';
import type { SwimChance, SwimInput, SwimPacket, SwimStatus, SwimVerdict } from './swim-message.js';
import { type SwimOptions, swimOptions } from './swim-options.js';

/** Chance without surprises: the same numbers for the same seed. */
function chanceOf(seed: number): SwimChance {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return {
    next: () => {
      state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
      return ((state ^ (state >>> 13)) >>> 0) / 0x1_0000_0000;
    },
  };
}

/** Options for stories: nothing happens but what the story is about. */
const quiet: Partial<SwimOptions> = { syncIntervalMs: 0, recallDeadMs: 0 };

/** A packet as its addressee gets it. */
export const packetTo = (to: number, from: number, rest: Partial<SwimPacket>): SwimPacket => ({
  kind: 'gossip',
  from,
  to,
  seq: 0,
  target: from,
  updates: [],
  ...rest,
});

export const said = (
  status: SwimStatus,
  subject: number,
  incarnation: number,
  from: number,
  unwell = false,
) => ({ status, subject, incarnation, from, unwell });

interface Seen extends SwimVerdict {
  readonly atMs: number;
  readonly observer: number;
}

export class SwimWorld {
  nowMs = 0;
  readonly nodes: Swim[];
  readonly verdicts: Seen[] = [];
  readonly packets: SwimPacket[] = [];
  /** Says which packets never arrive. */
  loses: (packet: SwimPacket) => boolean = () => false;
  /** Who does not run. */
  readonly frozen = new Set<number>();
  #flying: { readonly atMs: number; readonly packet: SwimPacket }[] = [];

  constructor(count: number, differences: Partial<SwimOptions> = {}, seed = 1) {
    const options = swimOptions('lan', quiet, differences);
    this.nodes = Array.from(
      { length: count },
      (_, self) => new Swim({ self, options, chance: chanceOf(seed * 100 + self), nowMs: 0 }),
    );
    for (let self = 0; self < count; self++) {
      for (let member = 0; member < count; member++) {
        if (member !== self) this.step(self, { kind: 'meet', member, incarnation: 1 });
      }
    }
  }

  at(self: number): Swim {
    return this.nodes[self] as Swim;
  }

  step(self: number, input: SwimInput): void {
    for (const directive of this.at(self).step(input, this.nowMs)) {
      if (directive.kind === 'verdict') {
        this.verdicts.push({ ...directive, atMs: this.nowMs, observer: self });
      } else {
        this.packets.push(directive);
        if (!this.loses(directive)) this.#flying.push({ atMs: this.nowMs + 1, packet: directive });
      }
    }
  }

  runFor(ms: number): void {
    const endMs = this.nowMs + ms;
    while (true) {
      const running = this.nodes.map((_, self) => self).filter((self) => !this.frozen.has(self));
      const wakeMs = Math.min(...running.map((self) => this.at(self).wakeAtMs));
      const arrivalMs = this.#flying[0]?.atMs ?? Number.POSITIVE_INFINITY;
      if (Math.min(wakeMs, arrivalMs) > endMs) break;
      this.nowMs = Math.max(this.nowMs, Math.min(wakeMs, arrivalMs));
      if (arrivalMs <= wakeMs) {
        const { packet } = this.#flying.shift() as { packet: SwimPacket };
        if (!this.frozen.has(packet.to)) this.step(packet.to, packet);
      } else {
        const self = running.find((each) => this.at(each).wakeAtMs === wakeMs) as number;
        this.step(self, { kind: 'wake' });
      }
    }
    this.nowMs = endMs;
  }

  /** What each other node holds about it. */
  heldAbout(member: number): (SwimStatus | undefined)[] {
    return this.nodes.flatMap((node, self) => (self === member ? [] : [node.statusOf(member)]));
  }

  deaths(): readonly Seen[] {
    return this.verdicts.filter(({ status }) => status === 'dead');
  }
}
