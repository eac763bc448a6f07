/**
 * A drill for the day on which the network breaks, with production nodes under virtual time: minutes pass in milliseconds,
 * and every run is the same. `{ a, b }` lose sight of `{ c, d, e }`, first for a while, then for good.
 */
import { isFormed, isUnreachableAt, type NodeRun, Simulation } from '@rollcall/simulator';

const MINORITY = ['a', 'b'];
const MAJORITY = ['c', 'd', 'e'];

const drill = new Simulation({ seed: 1 });
const say = (text: string) =>
  console.log(`${(drill.nowMs / 1_000).toFixed(1).padStart(6)} s  ${text}`);

/** What a node tells its subscribers of others, and of its own end. */
function listenTo({ name, cluster }: NodeRun): void {
  cluster.events$.subscribe((event) => {
    if (
      (event.type === 'memberUnreachable' || event.type === 'memberReachable') &&
      event.member.node !== cluster.self.node
    )
      say(`  ${name}: ${event.type}, ${event.member.address}`);
    if (event.type === 'downingDecided')
      say(`  ${name}: ${event.stay.length} stay, ${event.go.length} go`);
    if (event.type === 'selfRemoved') say(`  ${name} stops itself: ${event.reason}`);
  });
}

function check(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`not seen: ${what}\n${drill.report()}`);
  say(what);
}

const membersAt = (name: string) =>
  drill
    .node(name)
    .state?.members.map(({ address }) => address.slice('ws://'.length).split(':')[0])
    .join(' ');

drill.startAll([...MINORITY, ...MAJORITY]);
await drill.runUntil(() => isFormed(drill.nodes), 10_000, 'five nodes are one cluster');
await drill.run(15_000);
say('five nodes are one cluster');
for (const name of ['a', 'c']) listenTo(drill.node(name));

say('a b | c d e: nothing gets through');
drill.partition(MINORITY, MAJORITY);
const runs = (names: readonly string[]) => names.map((name) => drill.node(name));
const holds = (side: readonly string[], lost: string) =>
  isUnreachableAt(runs(side), drill.node(lost).key ?? '');
const both = () => holds(MAJORITY, 'a') && holds(MINORITY, 'c');
await drill.runUntil(both, 30_000, 'each side holds the other unreachable');
say('it heals before downing.stableAfter (20 s) is over');
drill.heal();
await drill.runUntil(() => isFormed(drill.running), 30_000, 'all are agreed again');
check('all five go on, nobody was restarted', drill.running.length === 5);

say('a b | c d e: this time for good');
drill.partition(MINORITY, MAJORITY);
await drill.run(60_000);
check(
  'the side with a quorum goes on: c d e',
  membersAt('c') === 'c d e' && membersAt('e') === 'c d e',
);
const reasons = MINORITY.map((name) => drill.node(name).ending?.reason);
check(
  'the other side has stopped itself',
  reasons.every((reason) => reason !== undefined),
);

say('it heals, and a supervisor restarts a and b');
drill.heal();
for (const name of MINORITY) drill.restart(name, { seeds: ['c', 'd'] });
await drill.runUntil(() => isFormed(drill.running), 30_000, 'five nodes are one cluster again');
check('they are members again, under new uids: a b c d e', membersAt('c') === 'a b c d e');
