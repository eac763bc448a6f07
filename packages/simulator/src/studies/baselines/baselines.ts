/** The baselines by name, and a fleet of each. */
import { SeededRandom } from '../../seeded-random.js';
import { DatagramFleet, type LossOf } from '../datagram-fleet.js';
import { AllToAllNode } from './all-to-all.js';
import type {
  BaselineNode,
  BaselineOptions,
  BaselinePacket,
  BaselineVerdict,
} from './baseline-node.js';
import { CentralNode } from './central-checker.js';
import { CounterGossipNode } from './counter-gossip.js';
import { RingNode } from './ring.js';

export type Baseline = 'central' | 'all-to-all' | 'ring' | 'counters';

const MAKERS: Readonly<Record<Baseline, new (options: BaselineOptions) => BaselineNode>> = {
  central: CentralNode,
  'all-to-all': AllToAllNode,
  ring: RingNode,
  counters: CounterGossipNode,
};

/** Where one message tells of one member: what Rollcall's own detector comes to by default. */
const PATIENCE_MS = 4_500;
const INTERVAL_MS = 1_000;

/**
 * How long to wait for a baseline. A counter needs about 2 log2 n rounds of gossip to reach the last one (Demers et
 * al. 1987), and one in many takes longer: half as many again.
 */
export const patienceOf = (baseline: Baseline, nodes: number): number =>
  baseline === 'counters' ? INTERVAL_MS * Math.ceil(3 * Math.log2(nodes)) : PATIENCE_MS;

export type BaselineFleet = DatagramFleet<BaselinePacket, BaselineVerdict, BaselineNode>;

export function baselineFleet(options: {
  readonly baseline: Baseline;
  readonly seed: number;
  readonly nodes: number;
  readonly loss?: number | LossOf;
  readonly onVerdict?: (observer: number, verdict: BaselineVerdict, nowMs: number) => void;
}): BaselineFleet {
  const { baseline, seed, nodes, ...rest } = options;
  const Maker = MAKERS[baseline];
  const fleet: BaselineFleet = new DatagramFleet({
    seed,
    ...rest,
    nodes: Array.from({ length: nodes }, (_, self) => {
      const chance = new SeededRandom(seed, 'node', self);
      const patienceMs = patienceOf(baseline, nodes);
      return new Maker({ self, nodes, intervalMs: INTERVAL_MS, patienceMs, chance });
    }),
  });
  fleet.start();
  return fleet;
}
