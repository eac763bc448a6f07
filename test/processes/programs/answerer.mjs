/** A node that answers: it doubles a BigInt, and refuses what is none. Prints a line when it is up. */
import { startNode } from 'rollcall';

const [listen, ...seeds] = process.argv.slice(2);
const cluster = await startNode({
  name: 'herd',
  listen,
  seeds,
  settings: { downing: { stableAfter: '1s' } },
});
process.once('SIGTERM', () => cluster.leave());
cluster.answer(({ body }) => {
  if (typeof body !== 'bigint') throw Object.assign(new TypeError('no BigInt'), { code: 'E_BODY' });
  return 2n * body;
});
await cluster.up();
process.stdout.write(`${JSON.stringify({ up: cluster.self.node })}\n`);
