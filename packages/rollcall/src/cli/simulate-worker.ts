/** A thread of a swarm: one seed after another, as it is told. */
import { parentPort } from 'node:worker_threads';
import { loadSimulator } from './simulate-package.js';
import { liveThrough, type SeedNews } from './simulate-seed.js';
import { serveTasks } from './thread-pool.js';

const simulator = await loadSimulator();

serveTasks<number, SeedNews>(parentPort, (seed, tell) => liveThrough(seed, simulator, tell));
