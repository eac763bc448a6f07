/**
 * One run of the cut-off study with production nodes. As for the datagrams of a SWIM fleet, what a node says
 * while it is cut off leaves when it is back, dials and hang-ups included, and what it is sent meanwhile is lost.
 */
import { nodeNames } from '../node-name.js';
import type { PacketFacts, Rule } from '../rule.js';
import { ConvictionLog } from './conviction-log.js';
import type { CutOffResult, CutOffTask } from './cut-off-run.js';
import { ProductionFleet } from './production-fleet.js';

export async function runProductionCutOff(task: CutOffTask): Promise<CutOffResult> {
  const strategy = task.protocol === 'downing' ? 'keep-majority' : 'manual';
  const { seed, nodes, cut, outageMs, gapMs, outages } = task;
  // The last, since the first are seeds.
  const isCut = new Set(nodeNames(nodes).slice(nodes - cut));
  const log = new ConvictionLog((name) => !isCut.has(name));
  const fleet = await ProductionFleet.form({
    seed,
    nodes,
    settings: { downing: { strategy } },
    hasSupervisor: true,
    onEvent: (teller, event, nowMs) => log.hear(teller, event, nowMs),
  });
  for (let outage = 0; outage < outages; outage++) {
    await fleet.sim.run(gapMs);
    const takeBack = fleet.sim.add(cutOff(isCut, fleet.sim.nowMs + outageMs), 'cut off');
    await fleet.sim.run(outageMs);
    takeBack();
  }
  await fleet.sim.run(Math.max(gapMs, AFTERMATH_MS));
  const removed = [...log.removed].map(([name, times]) => ({
    name,
    times,
    wasCut: isCut.has(name),
  }));
  const { told, first } = log.sum(fleet.sim.nowMs, nodes - cut);
  return { task, falseDeaths: told, convictions: first, removed, steps: fleet.sim.events };
}

/** What is released at the last return is to have its say. */
const AFTERMATH_MS = 10_000;

/** Until a moment these nodes are not heard, and hear nobody. */
function cutOff(names: ReadonlySet<string>, untilMs: number): Rule {
  return ({ from, to, sentAtMs }: PacketFacts) => {
    if (names.has(from))
      return { kind: 'delay', delayMs: untilMs - sentAtMs, mayBeOvertaken: false };
    return names.has(to) ? 'drop' : 'pass';
  };
}
