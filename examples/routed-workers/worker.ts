/** A worker process: it answers with its name, four asks at a time, until the one that started it is gone. */
import { createWorkers } from '@rollcall/routing';
import { join, silentLogger } from 'rollcall';

// Ctrl-C goes to every process of a terminal; this one is ended by the one that started it.
process.on('SIGINT', () => {});
process.once('disconnect', () => process.exit());
const [seed = '', name = ''] = process.argv.slice(2);
const cluster = await join({
  name: 'routed-workers',
  listen: 'ws://127.0.0.1:0',
  seeds: [seed],
  roles: ['worker', name, `pid-${process.pid}`],
  settings: { profile: 'local' },
  logger: silentLogger,
});
createWorkers(cluster, { size: 4, work: () => name });
