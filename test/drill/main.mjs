/** `npm run drill`: what nodes make of a network that loses packets, on real sockets and the kernel's own TCP. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HELP, readArguments } from './arguments.mjs';
import { LossyCluster } from './lossy-cluster.mjs';
import { whyNot } from './namespace.mjs';

const HEAD = [
  'LOST',
  'PROBES BY',
  'SECONDS',
  'SUSPECTED',
  'UNREACHABLE',
  'LINKS BROKEN',
  'TCP SENT AGAIN',
  'CRASH NOTICED',
];

/** Everything but the result goes to stderr. */
function prepare() {
  const script = fileURLToPath(new URL('../bench/prepare.mjs', import.meta.url));
  return spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] }).status === 0;
}

/** Whatever ends this, no namespace stays behind. */
const open = new Set();

async function giveUp(code) {
  await Promise.all([...open].map((cluster) => cluster.close()));
  process.exit(code);
}

for (const [signal, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => giveUp(code));
// Whoever was to read this is gone.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => giveUp(1));

async function oneCluster(loss, isByLinksAlone, options, say) {
  const name = `rollcall-${process.pid}-${loss}-${isByLinksAlone ? 'links' : 'datagrams'}`;
  const cluster = new LossyCluster(name, { ...options, loss, isByLinksAlone });
  open.add(cluster);
  try {
    await Promise.race([cluster.form(), cluster.ended]);
    say(
      `${loss} %, ${isByLinksAlone ? 'links alone' : 'datagrams'}: ${options.nodes} nodes are one cluster`,
    );
    return {
      loss,
      isByLinksAlone,
      seconds: options.seconds,
      ...(await Promise.race([cluster.endure(), cluster.ended])),
    };
  } finally {
    open.delete(cluster);
    await cluster.close();
  }
}

function tableText(results) {
  const rows = results.map((each) => [
    `${each.loss} %`,
    each.isByLinksAlone ? 'links alone' : 'datagrams',
    `${each.seconds}`,
    ...[each.suspected, each.unreachable, each.broken, each.sentAgain].map(String),
    each.crash === undefined ? '-' : each.crash,
  ]);
  const widths = HEAD.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => row[at].length)),
  );
  const lines = [HEAD, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n
Suspected, unreachable: how often a node said so of another, all of which were well; links broken: how often one said that of a link.
Crash noticed: then one was killed, and all others called it unreachable within so much; who was held already is not noticed.
`;
}

async function drill(options) {
  const say = (text) => process.stderr.write(`${text}\n`);
  const each = options.seconds + 60;
  say(
    `${options.losses.length} times ${options.seconds} s: at most ${Math.ceil((options.losses.length * each) / 60)} minutes or so`,
  );
  const results = [];
  for (const loss of options.losses) {
    // Side by side, so that both see the same machine.
    const both = [false, true].map((isByLinksAlone) =>
      oneCluster(loss, isByLinksAlone, options, say),
    );
    results.push(...(await Promise.all(both)));
  }
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : tableText(results));
  return 0;
}

const { options, problem } = readArguments(process.argv.slice(2));
if (problem !== undefined) {
  process.stderr.write(`drill: ${problem}\n\n${HELP}`);
  process.exitCode = 64;
} else if (options.help) process.stdout.write(HELP);
else {
  const reason = await whyNot();
  if (reason !== undefined) {
    process.stderr.write(`drill: ${reason}; npm run drill -- --help says more\n`);
    process.exitCode = 1;
  } else if (!prepare()) process.exitCode = 1;
  else {
    try {
      process.exitCode = await drill(options);
    } catch (error) {
      process.stderr.write(`drill: ${error.message}\n`);
      // The other cluster may have minutes to go.
      await giveUp(1);
    }
  }
}
