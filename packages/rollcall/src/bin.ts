#!/usr/bin/env node
/** The `rollcall` command. A node that is told to go while it is still loaded goes as any other. */
import { keepSignals } from './early-signals.js';

if (process.argv[2] === 'node') keepSignals();
await import('./command.js');
