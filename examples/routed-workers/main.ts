/**
 * Five worker processes under load, of which one is killed with SIGKILL. Two routers see the same: one asks again elsewhere,
 * the other does not. Without a flag it kills one (`one-kill.ts`) and ends; with `--page` it goes on and shows itself (`live.ts`).
 */
import { createRouter } from '@rollcall/routing';
import { join, silentLogger } from 'rollcall';
import { Crew, NAMES } from './crew.js';
import { keepGoing } from './live.js';
import { killOne } from './one-kill.js';
import { openPage, pagePort } from './page.js';
import { seen } from './stage.js';

const port = pagePort(process.argv.slice(2));
const page = port === undefined ? undefined : await openPage(port);

const anyPort = 'ws://127.0.0.1:0';
await using cluster = await join({
  name: 'routed-workers',
  listen: anyPort,
  seeds: [anyPort],
  settings: { profile: 'local' },
  logger: silentLogger,
});
const crew = new Crew(cluster.self.address);
process.once('exit', () => crew.killAll());
for (const name of NAMES) crew.start(name);

const careful = createRouter(cluster, { role: 'worker', avoidPhi: 3, retries: 2 });
const plain = createRouter(cluster, { role: 'worker', avoidPhi: 3 });
await seen('five workers', careful.routees$, ({ length }) => length === NAMES.length);
const stage = { cluster, crew, careful, plain };

if (page === undefined) await killOne(stage);
else await keepGoing(stage, page);
// A leave would wait until a lost worker is removed.
await cluster.stop();
crew.killAll();
