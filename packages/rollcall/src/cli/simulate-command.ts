/** `rollcall simulate`: one history line by line, or a swarm of them. */
import { availableParallelism } from 'node:os';
import { EXIT, type ExitCode } from './exit-code.js';
import {
  checkWhat,
  readFilter,
  readPlanFlags,
  readRange,
  type SimulateFlags,
} from './simulate-flags.js';
import { loadSimulator } from './simulate-package.js';
import { replay } from './simulate-replay.js';
import { swarm } from './simulate-swarm.js';
import type { World } from './world.js';

export async function simulateCommand(flags: SimulateFlags, world: World): Promise<ExitCode> {
  checkWhat(flags);
  const asJson = flags.json === true;
  if (flags.swarm !== undefined) {
    const range = readRange(flags, availableParallelism());
    await loadSimulator();
    return swarm(range, asJson, world);
  }
  const simulator = await loadSimulator();
  const plan = readPlanFlags(flags, simulator);
  const filter = readFilter(flags, plan, simulator);
  if (flags.printPlan === true) {
    world.out(`${JSON.stringify(plan, null, 2)}\n`);
    return EXIT.done;
  }
  return replay(plan, { filter, frames: flags.frames === true, asJson }, simulator, world);
}
