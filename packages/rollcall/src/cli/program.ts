/** The `rollcall` command: its words, its flags, its help. What they do is in the other files. */
import { Command, CommanderError, Option } from 'commander';
import { LOG_LEVELS } from '../pino-logger.js';
import {
  blockersCommand,
  type ClientFlags,
  downCommand,
  leaveCommand,
  linksCommand,
  membersCommand,
} from './client-commands.js';
import { EXIT, type ExitCode, exitCodeOfError } from './exit-code.js';
import { type NodeFlags, settingHint } from './node-arguments.js';
import { nodeCommand } from './node-command.js';
import { simulateCommand } from './simulate-command.js';
import { addSimulate } from './simulate-options.js';
import { studyCommand } from './study-command.js';
import { addStudy } from './study-options.js';
import { tuneCommand } from './tune-command.js';
import { addTune } from './tune-options.js';
import { watchCommand } from './watch-command.js';
import type { World } from './world.js';

/** Runs one command to its end. `args` are those after the command's own name. Never rejects. */
export async function runCommand(
  args: readonly string[],
  version: string,
  world: World,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const ends = (code: ExitCode) => {
    exitCode = code;
  };
  const root = program(version, world, ends);
  hintAtSettings(root, args);
  let command = '';
  root.hook('preAction', (_, asked) => {
    command = pathOf(asked);
  });
  try {
    await root.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.unusable;
    const isMistake = exitCodeOfError(error) === EXIT.unusable;
    const help = isMistake ? `\n${hint(command)}` : '';
    world.complain(`rollcall: ${(error as Error).message}${help}\n`);
    return exitCodeOfError(error);
  }
}

/** A setting that is given as a flag is shown as it is given, in place of a flag that reads alike. */
function hintAtSettings(root: Command, args: readonly string[]): void {
  const node = root.commands.find((command) => command.name() === 'node');
  node?.configureOutput({
    outputError: (text, write) => {
      const [line, flag = ''] = /^error: unknown option '(.*)'/.exec(text) ?? [];
      const meant = settingHint(flag, args);
      write(line === undefined || meant === undefined ? text : `${line}\n(${meant})\n`);
    },
  });
}

/** As it is typed after `rollcall`. */
const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** What ends a complaint about how a command was used. */
const hint = (command: string): string =>
  `\`rollcall ${command} --help\` shows what it takes, with an example.`;

type Ends = (code: ExitCode) => void;

function program(version: string, world: World, ends: Ends): Command {
  const root = new Command('rollcall')
    .description(
      'Cluster membership without a leader: runs a node, and asks running nodes who is here, ' +
        'who can be reached, and what everyone has agreed on.',
    )
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: world.out, writeErr: world.complain })
    .showHelpAfterError(hint('COMMAND'))
    .addHelpText('after', ROOT_HELP);
  addNode(root, world, ends);
  addClients(root, world, ends);
  addTune(root, async (flags) => ends(await tuneCommand(flags, world)));
  addSimulate(root, async (flags) => ends(await simulateCommand(flags, world)));
  addStudy(root, async (name, flags) => ends(await studyCommand(name, flags, world)));
  for (const command of root.commands) {
    for (const each of [command, ...command.commands]) each.showHelpAfterError(hint(pathOf(each)));
  }
  return root;
}

function addNode(root: Command, world: World, ends: Ends): void {
  root
    .command('node')
    .description('runs a node until SIGTERM or SIGINT, then leaves gracefully')
    .option('--name <name>', 'required: the cluster; nodes of other names are refused')
    .option(
      '--listen <url>',
      'required: where to listen, ws://host:port, or wss:// with --tls-…; port 0 for any',
    )
    .option('--advertise <url>', 'the address others dial; needed when listening on 0.0.0.0 or ::')
    .addOption(
      many(
        '--seed <url>',
        'required: whom to ask to be let in; repeat it, the same list at every node',
      ),
    )
    .addOption(many('--role <role>', 'what this node is for; repeat it'))
    .option('--app-version <version>', 'shown to the others')
    .option('--management <host:port>', 'answers over HTTP there; read-only unless told otherwise')
    .option('--management-write', 'lets HTTP make members leave or mark them down')
    .option(
      '--management-token-file <file>',
      'what HTTP needs to change anything; a must beyond loopback',
    )
    .option('--secret-file <file>', 'peers that do not know what is in it are refused')
    .option('--tls-cert <file>', 'certificate (PEM) for wss://')
    .option('--tls-key <file>', 'its private key (PEM)')
    .option('--tls-ca <file>', 'whom to trust (PEM), besides the usual authorities')
    .option('--config <file>', 'settings as JSON')
    .addOption(many('--set <key=value>', 'one setting; repeat it; wins over --config'))
    .option('--print-settings', 'shows every setting with its value, and ends')
    .addOption(
      new Option('--log-level <level>', 'how much to log on stderr')
        .choices(LOG_LEVELS)
        .default('info'),
    )
    .addHelpText('after', NODE_HELP)
    .action(async (flags: NodeFlags) => ends(await nodeCommand(flags, world)));
}

function addClients(root: Command, world: World, ends: Ends): void {
  const client = (name: string, description: string, example: string): Command =>
    root
      .command(name)
      .description(description)
      .option('--management <url>', 'the node to ask, as it logged it')
      .option('--json', 'prints the answer as it is')
      .addHelpText('after', `\nExample:\n  ${example}\n`);
  const change = (name: string, description: string, example: string): Command =>
    client(name, `${description} (that node needs --management-write)`, example)
      .argument('<node>', 'the member: ws://host:port, or host:port')
      .option('--management-token-file <file>', 'the token, when that node asks for one');
  const at = '--management http://127.0.0.1:8355';

  client('members', 'who is here, and who cannot be reached', `rollcall members ${at}`).action(
    async (flags: ClientFlags) => ends(await membersCommand(flags, world)),
  );
  client(
    'watch',
    'shows the members again whenever something changes, until Ctrl-C',
    `rollcall watch ${at}`,
  ).action(async (flags: ClientFlags) => ends(await watchCommand(flags, world)));
  client('blockers', 'why nothing moves, and what would help', `rollcall blockers ${at}`).action(
    async (flags: ClientFlags) => ends(await blockersCommand(flags, world)),
  );
  client(
    'links',
    'the links a node observes, and how often it was wrong about them',
    `rollcall links ${at}`,
  ).action(async (flags: ClientFlags) => ends(await linksCommand(flags, world)));
  change('leave', 'asks a member to leave', `rollcall leave 127.0.0.1:7356 ${at}`).action(
    async (node: string, flags: ClientFlags) => ends(await leaveCommand(node, flags, world)),
  );
  change('down', 'marks a member down', `rollcall down 127.0.0.1:7356 ${at}`).action(
    async (node: string, flags: ClientFlags) => ends(await downCommand(node, flags, world)),
  );
}

/** A flag that may be given again and again. */
const many = (flags: string, description: string): Option =>
  new Option(flags, description)
    .default([], 'none')
    .argParser((value: string, before: readonly string[]) => [...before, value]);

const ROOT_HELP = `
Example, two nodes in two terminals and a question in a third:
  rollcall node --name demo --listen ws://127.0.0.1:7355 --management 127.0.0.1:8355 \\
                --seed ws://127.0.0.1:7355 --seed ws://127.0.0.1:7356
  rollcall node --name demo --listen ws://127.0.0.1:7356 \\
                --seed ws://127.0.0.1:7355 --seed ws://127.0.0.1:7356
  rollcall members --management http://127.0.0.1:8355

Exit codes:
  0  the node left, or the command was answered
  1  any other failure
  2  arguments or settings that cannot be used; the message names which
  3  this node was downed or removed by others, or stopped itself by downing
  4  this node could not join: refused, or nobody let it in
  130, 143  simulate or study was interrupted by SIGINT or SIGTERM before it was done
`;

const NODE_HELP = `
Examples:
  A cluster of one, which others may join:
    rollcall node --name demo --listen ws://127.0.0.1:7355 --seed ws://127.0.0.1:7355

  On a server, quicker to down what cannot be reached:
    rollcall node --name orders --listen ws://0.0.0.0:7355 --advertise ws://10.0.0.5:7355 \\
                  --seed ws://10.0.0.1:7355 --seed ws://10.0.0.2:7355 \\
                  --role worker --secret-file secret.txt --set downing.stableAfter=5s

Every node gets the same list of seeds; the first of them founds the cluster if none of them is in
one. A second SIGTERM or SIGINT ends the process at once, with exit code 1. Logs are JSON lines on
stderr, and for people on a terminal.
`;
