/**
 * A node that tells 2 MB messages to the only other member, several at a time, until it has heard
 * sixty more heartbeats of it, two a second, and samples its suspicion of it meanwhile. Then it prints what came of it, and
 * leaves when it is told to.
 */
import { startNode } from 'rollcall';

const HEARTBEATS = 60;
const AT_A_TIME = 3;
const [listen, ...seeds] = process.argv.slice(2);
const text = 'x'.repeat(2_000_000);
let received = 0;
let areWhole = true;

const cluster = await startNode({ name: 'herd', listen, seeds, settings: { profile: 'local' } });
process.once('SIGTERM', () => cluster.leave());
cluster.messages$.subscribe(({ body }) => {
  received += 1;
  areWhole &&= body.text === text;
});
const accused = [];
cluster.events$.subscribe(({ type, member }) => {
  if (type === 'memberSuspected' || type === 'memberUnreachable') accused.push(member.address);
});

/** The other member, once both are up. */
const other = await new Promise((resolve) => {
  cluster.state$.subscribe(({ members }) => {
    if (members.length < 2 || members.some(({ status }) => status !== 'up')) return;
    resolve(members.find(({ node }) => node !== cluster.self.node).node);
  });
});
const heard = () => cluster.links.find(({ subject }) => subject === other).samples;
const enough = heard() + HEARTBEATS;
let sent = 0;
let highest = 0;
const watching = cluster.phi$(other).subscribe((phi) => {
  highest = Math.max(highest, phi);
});

async function send() {
  while (heard() < enough) {
    await cluster.tell(other, { text });
    sent += 1;
  }
}
await Promise.all(Array.from({ length: AT_A_TIME }, send));
watching.unsubscribe();
process.stdout.write(`${JSON.stringify({ sent, received, areWhole, highest, accused })}\n`);
