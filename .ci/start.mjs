/**
 * `npm start`: sets the clone up, then tells the demo's story. In one process, so that a signal
 * reaches the demo and nothing is left running.
 */
import { build, install } from './setup.mjs';

// npm hands SIGTERM to a shell in between, which ends without passing it on. That our parent is
// another one now is all we get to see of it.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();

if ((await install()) && (await build())) {
  await import('../packages/rollcall/dist/demo/main.js');
} else {
  process.exitCode = 1;
}
