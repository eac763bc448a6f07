/**
 * One real node: `node.mjs LISTEN SEED…`. Started as a user would; its transport is looked at where it
 * begins to listen, because a node keeps it to itself.
 */
import { WebSocketTransport } from '@rollcall/transport-websocket';
import { silentLogger, startNode } from 'rollcall';
import { answer, tell, wallMs } from './child.mjs';

const [listen, count, ...seeds] = process.argv.slice(2);

let transport;
const { listen: bind } = WebSocketTransport.prototype;
WebSocketTransport.prototype.listen = function watched(events) {
  transport = this;
  return bind.call(this, events);
};

const cluster = await startNode({ name: 'bench', listen, seeds, logger: silentLogger });
tell('listening');

let isFormed = false;
cluster.state$.subscribe(({ members }) => {
  if (isFormed || members.length !== Number(count)) return;
  isFormed = members.every(({ status }) => status === 'up');
  if (isFormed) tell('formed');
});
cluster.events$.subscribe(({ type, member }) => {
  if (type === 'memberUnreachable' || type === 'memberRemoved')
    tell(type, { about: member.address });
});
cluster.ended.then((ending) => {
  tell('ended', ending);
  process.disconnect();
});

answer({
  view: () => {
    const { members, epoch } = cluster.state;
    const words = members.map(({ status, reachability }) => `${status} ${reachability}`);
    return { epoch, members: words };
  },
  sample: () => ({ ...transport.counts, connections: transport.connections }),
  agrees: () => ({ isSo: cluster.state.convergence }),
  leave: () => {
    const atMs = wallMs();
    cluster.leave();
    return { atMs };
  },
});
