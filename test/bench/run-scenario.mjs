/**
 * One scenario in this process: `run-scenario.mjs NAME OPTIONS`. Tells its parent each figure as it is
 * measured and each step on the way, or says it here if it has none; when the parent is gone, it goes too.
 */
import { churn } from './scenarios/churn.mjs';
import { heartbeat } from './scenarios/heartbeat.mjs';
import { phi } from './scenarios/phi.mjs';
import { processes } from './scenarios/processes.mjs';
import { routing } from './scenarios/routing.mjs';
import { simulated } from './scenarios/simulated.mjs';
import { states } from './scenarios/states.mjs';

const scenarios = { phi, states, routing, heartbeat, simulated, churn, processes };

process.on('disconnect', () => process.exit(1));
const [name, options] = process.argv.slice(2);
const say = (message) =>
  new Promise((resolve) => {
    if (process.send) process.send(message, resolve);
    else resolve(console.log(message.figure ?? message.step ?? message));
  });

try {
  const { wanted, ...given } = JSON.parse(options);
  await scenarios[name]({
    ...given,
    wants: (...rows) => rows.some((row) => wanted.includes(row)),
    show: (figure) => wanted.includes(figure.row) && void say({ figure }),
    step: (step) => void say({ step }),
  });
  await say({ step: 'measured' });
} catch (error) {
  process.stderr.write(`${error?.stack ?? error}\n`);
  await say({ problem: String(error?.message ?? error).split('\n')[0] });
}
process.exit();
