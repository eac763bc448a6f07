/** Members come and go for a virtual hour; connections are counted all the while. */
import { median } from '../measure.mjs';
import { figure } from '../report.mjs';
import { SimulatedCluster } from '../simulated-cluster.mjs';

const NODES = 50;
const RINGS = 5;
/** One turn: a node leaves, one is started in its place, another crashes and is restarted. */
const TURN_MS = 60_000;
const SAMPLES = 6;
const JOIN_LINKS = 64;

export async function churn({ quick, step, show }) {
  const cluster = new SimulatedCluster(NODES);
  const { sim, names } = cluster;
  await cluster.form();
  await sim.run(TURN_MS);
  const turns = quick ? 5 : 60;
  const most = [];
  for (let turn = 0; turn < turns; turn++) {
    if (turn % 10 === 0) step(`simulated, n = ${NODES}: minute ${turn} of ${turns}`);
    const leaver = names[(7 * turn + 3) % NODES];
    const crashed = names[(7 * turn + 29) % NODES];
    sim.leave(leaver);
    sim.after(TURN_MS / 6, () => sim.restart(leaver));
    sim.after(TURN_MS / 3, () => sim.crash(crashed));
    sim.after(TURN_MS / 3 + 1_000, () => sim.restart(crashed));
    for (let sample = 0; sample < SAMPLES; sample++) {
      await sim.run(TURN_MS / SAMPLES);
      most.push(Math.max(...sim.running.map(({ counters }) => counters.connections)));
    }
  }
  const reach = 2 * RINGS + 8;
  const isBack = sim.running.length === NODES;
  const after = most.slice(-SAMPLES);
  const what = `simulated, n = ${NODES}, ${turns} min`;
  show(
    figure('churn', `${what}, most at one node`, {
      value: Math.max(...most),
      against: 'median of samples',
      other: median(most),
      reach: `≤ ${reach} + ${JOIN_LINKS}`,
      isMet: Math.max(...most) <= reach + JOIN_LINKS,
      note: isBack ? undefined : `only ${sim.running.length} nodes run at the end`,
    }),
  );
  show(
    figure('churn', `${what}, most in the last one`, {
      ...{
        value: Math.max(...after),
        against: 'in the first',
        other: Math.max(...most.slice(0, SAMPLES)),
      },
      reach: `≤ ${reach}`,
      isMet: Math.max(...after) <= reach,
    }),
  );
}
