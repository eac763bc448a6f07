/**
 * A program as the README has it: joins, follows every member, and leaves when it is told to. What it
 * sees of each it prints, a JSON value a line. Nothing ends it but that it has nothing left to do.
 */
import { join } from 'rollcall';

const [listen, ...seeds] = process.argv.slice(2);
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const cluster = await join({ name: 'herd', listen, seeds, roles: ['worker'] });
process.once('SIGTERM', () => cluster.leave());

cluster.members$.subscribe({
  next: (member$) =>
    member$.subscribe({
      next: ({ address, status, reachability }) => print({ address, status, reachability }),
      complete: () => print({ gone: member$.key }),
    }),
  complete: () => print({ over: true }),
});
