/** The demo behind `npm start`: sets the stage, tells the story, and leaves nothing running. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@rollcall/core';
import { Command, InvalidArgumentError } from 'commander';
import type { Subscription } from 'rxjs';
import { systemClock } from '../system-clock.js';
import { board } from './board.js';
import { Crowd } from './crowd.js';
import { findPlaces } from './place.js';
import { createScreen, type Screen } from './screen.js';
import { type Sight, sights } from './sight.js';
import { StepFailed, Story } from './story.js';

const NODES = 5;
/** Removal in seconds rather than in the twenty that suit a server. */
const SET = { 'downing.stableAfter': '5s' };
/** Machines that run this unattended are busy with other things too. */
const UNATTENDED_FACTOR = 4;
const LOG_LINES = 15;

const screen = createScreen(process.stdout);
const factor = boundsFactor(process.argv);
const folder = mkdtempSync(join(tmpdir(), 'rollcall-demo-'));
const crowd = new Crowd(
  await findPlaces(NODES),
  folder,
  Object.entries(SET).map((pair) => pair.join('=')),
);
let hasSucceeded = false;
/** Logs are kept for whoever has to find out what failed. */
let hasFailed = false;

process.on('exit', () => {
  crowd.killAll();
  if (!hasFailed) rmSync(folder, { recursive: true, force: true });
});
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
] as const) {
  process.once(signal, () => finish(hasSucceeded ? 0 : 128 + number));
}
process.once('uncaughtException', (error) => {
  hasFailed = true;
  screen.say(`the demo itself failed: ${error.stack}`);
  finish(1);
});

introduce();
const seen = sights(crowd.places);
const drawing = screen.isTerminal ? seen.subscribe(draw) : undefined;
try {
  const lateSteps = await new Story({
    crowd,
    sights: seen,
    screen,
    settings: readSettings(SET),
    boundsFactor: factor,
    nowMs: systemClock.nowMs,
  }).tell();
  hasSucceeded = true;
  conclude(lateSteps);
  if (drawing === undefined) finish(0);
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  hasFailed = true;
  tellFailure(error, screen, drawing);
  finish(1);
}

function boundsFactor(argv: readonly string[]): number {
  const attended = process.stdout.isTTY === true && !process.env.CI;
  const read = (text: string): number => {
    const value = Number(text);
    if (!(value >= 1 && value <= 100))
      throw new InvalidArgumentError('It takes a number from 1 to 100.');
    return value;
  };
  const command = new Command('npm start --')
    .description(
      'Five node processes on loopback WebSockets form a cluster; one is killed, seen unreachable and ' +
        'removed; one comes back in its place; one leaves. Each step says how long it took, and its bound. ' +
        'On a terminal it then stays until Ctrl-C. Without one it exits 0 when each step was seen in time, ' +
        'else 1, naming the step.',
    )
    .option(
      '--bounds-factor <factor>',
      `a step may take its bound times this (default: 1 on a terminal, else ${UNATTENDED_FACTOR})`,
      read,
    )
    .addHelpText('after', '\nExample:\n  npm start -- --bounds-factor 1')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse(argv);
  return (
    command.opts<{ boundsFactor?: number }>().boundsFactor ?? (attended ? 1 : UNATTENDED_FACTOR)
  );
}

function introduce(): void {
  screen.say(`${NODES} nodes, each a process of its own. Their management, for a browser or curl:`);
  for (const { address, management } of crowd.places) {
    screen.say(`  ${address}   ${management}/cluster/members`);
  }
  screen.say(`Logs, kept only if a step fails: ${folder}`);
  if (factor !== 1)
    screen.say(
      `Each step may take ${factor} times its bound: this machine may be busy with other things.`,
    );
}

function draw(sight: Sight): void {
  const rows = board(sight, crowd.places, crowd.places.map(crowd.describe)).trimEnd();
  screen.live(`\n${rows}${hasSucceeded ? '\n\nUntil Ctrl-C.' : ''}`);
}

function conclude(lateSteps: number): void {
  const late = lateSteps === 0 ? '' : ` ${lateSteps} took longer than the plain bound.`;
  screen.say(`\nEvery step was seen in time.${late}`);
  if (!screen.isTerminal) return;
  const [first] = crowd.places;
  screen.say(`Try, in another terminal: npx rollcall watch --management ${first?.management}`);
}

function tellFailure(failure: StepFailed, at: Screen, live: Subscription | undefined): void {
  live?.unsubscribe();
  at.say(`\nFAILED: ${failure.message}`);
  for (const place of failure.places) {
    const process = crowd.at(place);
    at.say(`\n${place.address} (${crowd.describe(place)}), last of ${process.logFile}:`);
    for (const line of process.tail(LOG_LINES)) at.say(`  ${line}`);
  }
}

/** Ends this process when the others have ended; `exit` kills whoever is slow. */
function finish(exitCode: number): void {
  drawing?.unsubscribe();
  crowd.killAll();
  void crowd.gone().then(() => process.exit(exitCode));
}
