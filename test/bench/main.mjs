/**
 * `npm run bench`: sets the clone up, runs the scenarios that the wanted rows need, each in a process
 * of its own, and prints a table. It informs and does not judge: a figure out of reach is shown as
 * such and fails nothing.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HELP, readArguments } from './arguments.mjs';
import { Progress } from './progress.mjs';
import { listText, tableText, toJson } from './report.mjs';
import { rows, scenariosFor } from './rows.mjs';

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Everything but the result goes to stderr, whoever writes it. */
function prepare() {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script('prepare.mjs')], { stdio: ['ignore', 2, 2] });
    child.once('close', (code) => resolve(code === 0));
  });
}

/** One scenario in its own process: its figures, and what went wrong if something did. */
function runScenario(scenario, options, progress) {
  const args = ['--expose-gc', ...scenario.flags, script('run-scenario.mjs')];
  const child = spawn(process.execPath, [...args, scenario.name, JSON.stringify(options)], {
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const figures = [];
  let problem;
  child.on('message', (message) => {
    if (message.figure) figures.push(message.figure);
    if (message.step) progress.step(message.step);
    if (message.problem) problem = message.problem;
  });
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      if (code !== 0) problem ??= `its process ended with ${signal ?? `code ${code}`}`;
      resolve({ figures, problem });
    });
  });
}

async function bench(options) {
  const wanted = options.only.length > 0 ? options.only : rows.map(({ name }) => name);
  const scenarios = scenariosFor(wanted, options);
  const progress = new Progress(scenarios, wanted);
  const results = [];
  for (const scenario of scenarios) {
    progress.begin(scenario);
    const { figures, problem } = await runScenario(scenario, { ...options, wanted }, progress);
    progress.end(problem);
    results.push({ scenario: scenario.name, rows: scenario.rows, figures, problem });
  }
  const shown = rows.filter(({ name }) => wanted.includes(name));
  process.stdout.write(
    options.json ? toJson(shown, results, options) : tableText(shown, results, options),
  );
  return results.every(({ problem }) => problem === undefined) ? 0 : 1;
}

const { options, problem } = readArguments(process.argv.slice(2), rows);
if (problem) {
  process.stderr.write(`${problem}\n\n${HELP}`);
  process.exitCode = 64;
} else if (options.help) process.stdout.write(HELP);
else if (options.list) process.stdout.write(listText(rows));
else if (await prepare()) process.exitCode = await bench(options);
else process.exitCode = 1;
