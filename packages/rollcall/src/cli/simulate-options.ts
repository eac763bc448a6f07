/** `rollcall simulate`: its flags and its help. */
import type { Command } from 'commander';
import type { SimulateFlags } from './simulate-flags.js';

/** Adds the command; `run` gets what it was given. */
export function addSimulate(root: Command, run: (flags: SimulateFlags) => Promise<void>): void {
  root
    .command('simulate')
    .description('lives through random histories of a cluster under virtual time, and replays them')
    .option('--seed <n>', 'replays one history, line by line')
    .option('--plan <file>', 'the same from a file that --print-plan wrote')
    .option('--without <parts>', 'leaves out kinds of work and faults, such as crash,loss')
    .option('--nodes <n>', 'keeps the first so many nodes')
    .option('--steps <numbers>', 'keeps these steps only, by the numbers that are shown; or none')
    .option('--until <ms>', 'all faults end at this virtual time')
    .option('--print-plan', 'shows the plan as JSON, and ends')
    .option('--from <ms>', 'shows what happened from this moment on')
    .option('--to <ms>', 'shows what happened up to this moment')
    .option('--node <name>', 'shows one node, and what was done to the network')
    .option('--only <events>', 'shows these events, such as memberUp,crash')
    .option('--links', 'shows links that come up and go down too')
    .option('--frames', 'shows every frame too')
    .option('--swarm <count>', 'lives through so many seeds')
    .option('--start <n>', 'the first of them (default: 0)')
    .option('--jobs <n>', 'threads (default: as many as there are cores)')
    .option('--json', 'prints JSON, a value a line')
    .addHelpText('after', HELP)
    .action(run);
}

const HELP = `
Examples:
  A thousand histories; the ones that fail are reduced, and shown with the command that replays them:
    rollcall simulate --swarm 1000

  One of them, and then only what one node saw of others between two moments:
    rollcall simulate --seed 42
    rollcall simulate --seed 42 --node n3 --from 12000 --to 15000
    rollcall simulate --seed 42 --only memberUnreachable,memberDowned,memberRemoved,ended
    rollcall simulate --seed 42 --only linkUp,linkDown,dialFailed --node n3

  The same history without its crashes, with four nodes; and one that can be changed by hand:
    rollcall simulate --seed 42 --without crash,power --nodes 4
    rollcall simulate --seed 42 --print-plan > plan.json
    rollcall simulate --plan plan.json

A seed picks 2 to 30 nodes, settings, what the nodes are told to do (join, leave, down, restart, and
perhaps a supervisor) and what goes wrong (crash, power, pause, partition, cut, loss, segments, delay,
duplicate, reorder, lease): each fault is off in half of the seeds and wild in a quarter. The nodes are the real
ones, with real frames between them. While faults last it is watched that nothing forbidden happens: no
two nodes that have removed each other, nobody who returns after a removal, no status that goes back.
Then all faults stop, and the cluster has to come to rest within a bound that is shown.

How a history may end: whole (one cluster of all who run), stopped (nobody runs: a lost quorum), islands
(clusters that have told of each other), blocked (manual downing, dead members, and every node says so),
full (static-quorum has no place for a joiner, and says so). Failures: a violation, stuck,
restless (it came to rest, then changed), needless (a node stopped without having to).

Exit code 0 when all of it held, 1 when something did not; 130 (SIGINT) or 143 (SIGTERM) when a swarm was
interrupted, whatever it had found by then.
`;
