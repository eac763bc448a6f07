/** Three nodes become one cluster, each of them knows the same, and one leaves. In one process, so that nothing has to be started. */
import { type Cluster, type ClusterState, join } from 'rollcall';
import { filter, firstValueFrom, timeout } from 'rxjs';

const name = 'first-cluster';
/** Any free port. As a seed it is the node itself: it founds the cluster. */
const anyPort = 'ws://127.0.0.1:0';

const shown = ({ members }: ClusterState) =>
  members.map(({ roles, status }) => `${roles} ${status}`).join(', ');

/** Resolves once a node's state is such; what is not seen within 20 s ends the program with exit code 1. */
function seen(what: string, { state$ }: Cluster, holds: (state: ClusterState) => boolean) {
  const late = () => {
    throw new Error(`not seen within 20 s: ${what}`);
  };
  return firstValueFrom(state$.pipe(filter(holds), timeout({ first: 20_000, with: late })));
}

await using web = await join({ name, listen: anyPort, seeds: [anyPort], roles: ['web'] });
console.log(`web is up: it founded the cluster`);

web.events$.subscribe((event) => {
  if ('member' in event) console.log(`  web is told: ${event.type}, ${event.member.roles}`);
});

const seeds = [web.self.address];
await using db = await join({ name, listen: anyPort, seeds, roles: ['db'] });
{
  await using worker = await join({ name, listen: anyPort, seeds, roles: ['worker'] });
  const all = [web, db, worker];
  const agreed = ({ members, convergence }: ClusterState) =>
    convergence && members.length === 3 && members.every(({ status }) => status === 'up');
  await Promise.all(all.map((each) => seen('three members, all up and agreed on', each, agreed)));
  const digests = new Set(all.map(({ state }) => state.digest));
  if (digests.size > 1) throw new Error(`the digests differ: ${[...digests].join(', ')}`);
  console.log(`all three hold the same state: ${shown(web.state)}`);
  // At the end of its block the worker leaves: the others agree to it before its process would end.
}
const left = await seen('the worker gone', web, ({ members }) => members.length === 2);
console.log(`two are left: ${shown(left)}`);
