/** The `rollcall` command in a real process. */
import { readFileSync } from 'node:fs';
import { runCommand } from './cli/program.js';
import type { World } from './cli/world.js';
import { hearSignals } from './early-signals.js';
import { createLogger, createPrettyLogger } from './pino-logger.js';
import { startNode } from './start-node.js';
import { systemClock, wallTime } from './system-clock.js';

const world: World = {
  out: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  createLogger: async (level) =>
    process.stderr.isTTY === true ? createPrettyLogger(level) : createLogger(level),
  startNode,
  fetch: globalThis.fetch,
  wallTime,
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const cancel = systemClock.schedule(ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    }),
  onSignal: hearSignals,
  exit: (code) => process.exit(code),
};

// `rollcall … | head` closes the pipe when it has enough.
process.stdout.on('error', () => process.exit(0));

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const exitCode = await runCommand(process.argv.slice(2), version, world);
// Whatever a node has left open must not keep its process: the write waits for what was written.
process.stdout.write('', () => process.exit(exitCode));
