/**
 * `npm start`: sets the clone up, then tells the demo's story. In one process, so that Ctrl-C and
 * SIGTERM reach the demo and nothing is left running.
 */
import { build, install } from './setup.mjs';

if ((await install()) && (await build())) {
  await import('../packages/rollcall/dist/demo/main.js');
} else {
  process.exitCode = 1;
}
