/** Many SWIM nodes that know each other from the start, and the datagrams between them. */
import {
  Swim,
  type SwimInput,
  type SwimOptions,
  type SwimPacket,
  type SwimVerdict,
} from '@rollcall/failure-detector';
import { SeededRandom } from '../seeded-random.js';
import { DatagramFleet, type LossOf } from './datagram-fleet.js';

export interface FleetOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly swim: SwimOptions;
  /** The share of datagrams that never arrive; 0 unless given. */
  readonly loss?: number | LossOf;
  readonly onVerdict?: (observer: number, verdict: SwimVerdict, nowMs: number) => void;
}

export class SwimFleet extends DatagramFleet<SwimPacket, SwimVerdict, Swim> {
  constructor({ seed, nodes, swim, loss = 0, onVerdict }: FleetOptions) {
    super({
      seed,
      loss,
      nodes: Array.from({ length: nodes }, (_, self) => {
        const chance = new SeededRandom(seed, 'node', self);
        return new Swim({ self, options: swim, chance, nowMs: 0 });
      }),
    });
    for (let self = 0; self < nodes; self++) {
      for (let member = 0; member < nodes; member++) {
        if (member !== self) this.#meet(self, { kind: 'meet', member, incarnation: 1 });
      }
    }
    this.onVerdict = onVerdict;
  }

  #meet(self: number, input: SwimInput): void {
    this.step(self, input as SwimPacket);
  }
}
