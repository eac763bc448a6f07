/** The process that is watched. It does nothing but be a member, until the one that started it is gone. */
import { join, silentLogger } from 'rollcall';

const cluster = await join({
  name: 'reachability-stream',
  listen: 'ws://127.0.0.1:0',
  seeds: process.argv.slice(2),
  roles: ['subject'],
  settings: { profile: 'local', downing: { stableAfter: '2s' } },
  logger: silentLogger,
});
process.once('disconnect', () => cluster.stop());
