/** `rollcall tune`: its flags and its help. */
import type { Command } from 'commander';
import { Option } from 'commander';

/** As commander gives them. */
export interface TuneFlags {
  readonly management?: string;
  readonly file?: string;
  readonly link?: string;
  readonly config?: string;
  readonly set: readonly string[];
  readonly pauses?: string;
  readonly mistakes?: string;
  readonly within?: string;
  readonly json?: boolean;
}

/** Adds the command; `run` gets what it was given. */
export function addTune(root: Command, run: (flags: TuneFlags) => Promise<void>): void {
  root
    .command('tune')
    .description('reads observed gaps, and says what threshold and pause they call for')
    .option('--management <url>', 'asks this node for the gaps on its links, as it logged it')
    .option(
      '--link <node>',
      'only the link to this member, by its peers.<address> settings if there are any (default: all links without such settings, pooled)',
    )
    .option('--file <file>', 'reads the gaps from a file instead')
    .option('--config <file>', 'with --file: the settings of the node, as JSON')
    .addOption(
      new Option('--set <key=value>', 'with --file: one setting of it; repeat it')
        .default([], 'none')
        .argParser((value: string, before: readonly string[]) => [...before, value]),
    )
    .option('--pauses <list>', 'acceptable pauses to compare, such as 2s,3s,6s; at most 7')
    .option('--mistakes <n>', 'how many mistakes a year on a link are few enough (default: 1)')
    .option('--within <duration>', 'how soon a crash has to be convicted, such as 5s')
    .option('--json', 'prints JSON')
    .addHelpText('after', HELP)
    .action(run);
}

const HELP = `
Examples:
  What this node has observed, and what it calls for:
    rollcall tune --management http://127.0.0.1:8355
    rollcall tune --management http://127.0.0.1:8355 --mistakes 0.1 --within 8s

  The same from a file, for a node with other settings:
    rollcall tune --file gaps.csv --set heartbeat.interval=500ms --set detector.kind=deadline

A file has the gaps between one node's heartbeats as they arrived at another, in milliseconds, in order:
  CSV    one a line; a heading, empty lines and lines that begin with # are passed over
           gapMs
           1003.2
           998.7
  JSON   a list of numbers: [1003.2, 998.7]
         or what a node answered: curl -s 'http://127.0.0.1:8355/cluster/links?gaps=64' > links.json

It compares the thresholds 3 to 12 with each pause:
  T_D                from the last heartbeat of a crashed member to the verdict, by the detector's formula
  mistakes a year    verdicts against a healthy member, expected on each link at each observer. One
                     observer makes it suspected; to be unreachable takes agreement.observers of them
  how long they last until the member is heard again

Within the gaps that were seen mistakes are counted; beyond them they follow the tail of the gaps, and
the answer says how far. What never happened while they were gathered is in no number. Fewer than 100
gaps give no estimate. Rates over a thousand times rarer than one in all gaps are shown as "less than"; if
the goal is such a rate, nothing quicker than the current settings is recommended.
`;
