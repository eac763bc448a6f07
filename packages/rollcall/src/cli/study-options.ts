/** `rollcall study`: its studies, their flags and their help. */
import type { Command } from 'commander';

/** As commander gives them. */
export interface StudyCommandFlags {
  readonly out?: string;
  readonly jobs?: string;
  /** Go on with what an interrupted one has done. */
  readonly resume?: true;
  readonly [flag: string]: string | true | undefined;
}

/** Adds the command; `run` gets which study and what it was given. */
export function addStudy(
  root: Command,
  run: (name: string, flags: StudyCommandFlags) => Promise<void>,
): void {
  const group = root
    .command('study')
    .description('compares detectors under virtual time: a table, a picture and the raw results')
    .addHelpText('after', HELP);
  const add: Add = (name, description, help) =>
    group
      .command(name)
      .description(description)
      .option('--out <folder>', `where the results go (default: ./${name})`)
      .option('--jobs <n>', 'threads (default: as many as there are cores)')
      .option('--resume', 'goes on where the same study, into the same folder, was interrupted')
      .addHelpText('after', help)
      .action((flags: StudyCommandFlags) => run(name, flags));

  addTroubles(add);
  addMeasures(add);
}

type Add = (name: string, description: string, help: string) => Command;

/** What goes wrong with nodes, and whom it gets convicted. */
function addTroubles(add: Add): void {
  add('cut-off', 'nodes that cannot talk for a while, and whom they get declared dead', CUT_OFF)
    .option('--cells <list>', 'how many are cut off x for how many seconds, such as 1x12,8x16')
    .option('--minutes <n>', 'virtual minutes of each run (default: 30)')
    .option('--seeds <n>', 'runs of each (default: 8 with one cut off, 3 up to eight, 2 above)')
    .option('--nodes <n>', 'how many there are (default: 128)')
    .option('--gap <ms>', 'how long they are back between two outages (default: 4000)')
    .option('--outages <n>', 'how often production nodes are cut off (default: 3)')
    .option('--only <list>', `protocols: ${SWIM_LIKE},rollcall,downing (default: all)`)
    .option('--model <name>', 'ticker or published (default: ticker)');

  add('loss', 'who is convicted when packets are lost, everywhere or around one node', LOSS)
    .option('--nodes <n>', 'how many there are, twice as many where one is faulty (default: 50)')
    .option('--minutes <n>', 'virtual minutes (default: 1440 of production nodes, 60 of others)')
    .option('--only <list>', ONLY)
    .option('--cases <list>', 'what is lost: 10,30,50,one,deaf (default: all)')
    .option(
      '--seed <n>',
      'the first seed; long runs are several, and count on from it (default: 1)',
    );

  add('stall', 'nodes that stand still again and again, and whom they convict on waking', STALL)
    .option('--nodes <n>', 'how many there are (default: 50)')
    .option('--minutes <n>', 'virtual minutes (default: 1440 of production nodes, 60 of others)')
    .option('--only <list>', ONLY.replace(',tcp', ''))
    .option('--cases <list>', 'how many in a hundred stall: 1,3,10 (default: all)')
    .option(
      '--seed <n>',
      'the first seed; long runs are several, and count on from it (default: 1)',
    );

  add('one-way', 'a link that is cut in one direction, and when its two ends notice', ONE_WAY)
    .option('--seeds <n>', 'runs of each (default: 40)')
    .option('--nodes <n>', 'how many there are (default: 5)');
}

/** What detectors and gossip cost, and what is gained. */
function addMeasures(add: Add): void {
  add('spread', 'rounds until news has reached everybody: push, pull, push-pull', SPREAD)
    .option('--sizes <list>', 'numbers of nodes (default: 40,400,4000)')
    .option('--runs <n>', 'of each (default: 1000)')
    .option('--seed <n>', 'what chance draws from (default: 1)');

  add('central', 'a cache over forty nodes when one network card goes bad', CENTRAL)
    .option('--drop <percent>', 'what the card drops of what it receives (default: 100)')
    .option('--seconds <n>', 'for how long (default: 20)')
    .option('--nodes <n>', 'how many there are (default: 40)')
    .option('--only <list>', ONLY.replace(',tcp', ''))
    .option('--seed <n>', 'what chance draws from (default: 1)');

  add(
    'probe',
    'how often a probe fails when datagrams are lost, beside what the formula says',
    PROBE,
  )
    .option('--probes <n>', 'of each loss and number of helpers (default: 100000)')
    .option('--nodes <n>', 'how many there are (default: 32)')
    .option('--seed <n>', 'what chance draws from (default: 1)');

  add('crash', 'how long until a node that really crashed is declared dead', CRASH)
    .option('--seeds <n>', 'crashes under each protocol (default: 100)')
    .option('--victims <n>', 'how many crash at once (default: 1)')
    .option('--only <list>', `protocols: ${SWIM_LIKE},rollcall (default: all)`)
    .option('--nodes <n>', 'how many there are (default: 128)');

  add('threshold', 'time to detection against time between mistakes, setting by setting', THRESHOLD)
    .option('--loss <percent>', 'datagrams lost (default: 10)')
    .option('--hours <n>', 'virtual hours of each setting (default: 4)')
    .option('--nodes <n>', 'of a fleet of SWIM nodes (default: 32)')
    .option('--seed <n>', 'what chance draws from (default: 1)');
}

const SWIM_LIKE = 'swim,lifeguard,grace,health,both';
const ONLY =
  'protocols: central,all-to-all,ring,counters,swim,lifeguard,both,rollcall,tcp (default: all)';

const HELP = `
Examples:
  rollcall study one-way --seeds 10
  rollcall study probe
  rollcall study cut-off --cells 8x16,32x65 --minutes 10 --seeds 1

A table is printed and written to table.txt beside a picture (SVG) and every run (JSON). The last line says
where. The same seeds give the same table. Ctrl-C ends it; the same with --resume goes on.
`;

const CUT_OFF = `
Examples:
  All of it: hours, as production nodes are by far the slowest. Without them, half an hour on one core:
    rollcall study cut-off
    rollcall study cut-off --only swim,lifeguard,grace,health,both

  A few cells of it, and the model that is closest to the published study:
    rollcall study cut-off --cells 1x12,8x16 --model published

Some nodes cannot talk for a while: what they send waits, what they are sent is lost, and their clocks run on.
They suspect everybody, and when they are back all of it is released at once. Counts how often that
gets a node declared dead that was never cut off, at a node that was never cut off.

Protocols: SWIM; Lifeguard; Lifeguard with grace (a confirmation that would convict at once waits for 2 s),
with suspicion scaled by the accuser's own health, and with both; Rollcall's production nodes, where nobody is downed
(rollcall), and where keep-majority does it (downing), with whom it removed.

Production nodes take long: a minute or more for each outage of 128 nodes. They alone, in one cell:
    rollcall study cut-off --only rollcall,downing --cells 8x16 --outages 1

Models: ticker, as memberlist does it: a failed probe is followed at once by the next, and the dead are
gossiped to without end. published: probes that fail begin 2 s apart, and the dead are gossiped to for 30 s.
`;

const LOSS = `
Examples:
  A virtual day of production nodes in each case, and an hour of everything else:
    rollcall study loss

  Ten minutes of production nodes alone:
    rollcall study loss --only rollcall --minutes 10

  A virtual day of them while every link loses half; half an hour of one core:
    rollcall study loss --only rollcall --cases 50

Every link loses 10, 30 or 50 % of all packets; or the links of one node lose 80 %; or that node is deaf for 20 s
in every 40. Beside Rollcall: a central checker, heartbeats from all to all, a ring, gossip of heartbeat
counters, SWIM, Lifeguard, Lifeguard with both corrections.

Two models of loss, and they are not the same: rollcall loses each frame by itself, as datagrams are lost; for tcp what is
lost is sent again after 200 ms, then after twice that, and all behind it on the link waits.
`;

const STALL = `
Examples:
  A virtual day of production nodes in each case, and an hour of everything else:
    rollcall study stall

  Who convicts whom with one in ten stalling, for an hour:
    rollcall study stall --only rollcall,swim,lifeguard --minutes 60

1, 3 and 10 % of the nodes stand still for 1 to 30 s, run for 30 to 150 s, and so on, as in a long collection of garbage.
Counts nodes that never stalled but were convicted anyway.
`;

const ONE_WAY = `
Example:
  rollcall study one-way --seeds 10

Nothing gets from one production node to a neighbour, the way back is open. A heartbeat that is not answered is no
sign of life, so both ends notice. Beside it a link that is cut both ways, and one that is cut one way
for 20 s in every 40.
`;

const SPREAD = `
Example:
  rollcall study spread --sizes 100,1000,10000 --runs 200

Each node turns to one other a round, chosen by chance. Push: who knows the news tells it. Pull: who does not know it
asks. Push-pull: both (Demers et al. 1987, Karp et al. 2000).
`;

const CENTRAL = `
Examples:
  rollcall study central

  A card that drops four packets in five:
    rollcall study central --drop 80

Forty cache nodes share keys by consistent hashing, and each routes by its own opinion of who is there. A card goes
bad: under a central checker that of the checker, otherwise that of one node of forty. Keys moved, hit rate,
and reads of the store behind, second by second.
`;

const PROBE = `
Example:
  rollcall study probe --probes 10000

A direct answer takes two datagrams, one through a helper four. Five rates of loss, 0 to 5 helpers.
`;

const CRASH = `
Example:
  rollcall study crash --nodes 32 --seeds 20

Of Rollcall's production nodes, ten of a hundred at once:
  rollcall study crash --only rollcall --nodes 100 --victims 10 --seeds 10

The protocols of the cut-off study. Suspected somewhere, dead somewhere, dead everywhere.
`;

const THRESHOLD = `
Example:
  rollcall study threshold --loss 30 --hours 1

Detectors of heartbeats (phi-normal, phi-exponential, deadline), SWIM and Lifeguard, at the same cost in
messages. Every more patient setting takes longer to notice a crash and is mistaken less often.
`;
