/**
 * `npm start`: sets the clone up, then tells the demo's story. In one process, so that Ctrl-C and
 * SIGTERM reach the demo and nothing is left running.
 */
import { setup } from './setup.mjs';

await setup();
await import('../packages/rollcall/dist/demo/main.js');
