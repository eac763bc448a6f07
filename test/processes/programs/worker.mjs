/** A node with the role `worker` that sends back what it is asked, by four workers. */
import { createWorkers } from '@rollcall/routing';
import { startNode } from 'rollcall';

const [listen, ...seeds] = process.argv.slice(2);
const cluster = await startNode({ name: 'herd', listen, seeds, roles: ['worker'] });
process.once('SIGTERM', () => cluster.leave());
createWorkers(cluster, { size: 4, work: (body) => body });
await cluster.up();
process.stdout.write(`${JSON.stringify({ up: cluster.self.node })}\n`);
