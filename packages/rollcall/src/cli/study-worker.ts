/** A thread of a study: one run after another, as it is told. */
import { parentPort } from 'node:worker_threads';
import { loadSimulator, type StudyResult, type StudyTask } from './simulate-package.js';
import { serveTasks } from './thread-pool.js';

const { performTask } = await loadSimulator();

serveTasks<StudyTask, StudyResult>(parentPort, async (task, tell) => tell(await performTask(task)));
