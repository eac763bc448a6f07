/** A thread of a swarm: one seed after another, as it is told. */
import { parentPort } from 'node:worker_threads';
import { loadSimulator } from './simulate-package.js';
import { liveThrough } from './simulate-seed.js';

const simulator = await loadSimulator();

parentPort?.on('message', async (seed: number) => {
  await liveThrough(seed, simulator, (news) => parentPort?.postMessage(news));
  parentPort?.postMessage({ kind: 'done' });
});
