/**
 * A node that asks the one at the second address over and over, and prints what came of each ask; when it
 * cannot be asked any more it says why, and leaves.
 */
import { startNode } from 'rollcall';

const [listen, other, ...seeds] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const codeOf = ({ code, message, data }) => ({ code, message, remote: data?.code });

const cluster = await startNode({
  name: 'herd',
  listen,
  seeds,
  settings: { downing: { stableAfter: '1s' } },
});
await cluster.up();
say({ answer: String(await cluster.ask(other, 21n)) });
say(await cluster.ask(other, 'no number').catch(codeOf));
say({ asking: true });
for (let isThere = true; isThere; ) {
  const problem = await cluster.ask(other, 1n, { timeoutMs: 60_000 }).then(() => undefined, codeOf);
  if (problem === undefined) continue;
  say(problem);
  isThere = false;
}
say(await cluster.tell(other, 1n).catch(codeOf));
await cluster.leave();
