/**
 * `watch`: the members as they change. A terminal is redrawn; anything else gets a line for each
 * event. A node that goes away is asked again until it is back, but must have answered once.
 */
import type { MembersAnswer } from '@rollcall/management';
import { type ClientFlags, clientOf } from './client-commands.js';
import { eventWords } from './event-words.js';
import { EXIT, type ExitCode } from './exit-code.js';
import { type ManagementClient, ManagementError, type SentEvent } from './management-client.js';
import { memberTable } from './member-table.js';
import type { World } from './world.js';

const AGAIN_MS = 1_000;

export async function watchCommand(flags: ClientFlags, world: World): Promise<ExitCode> {
  const client = clientOf(flags, world);
  const stop = new AbortController();
  const forget = world.onSignal(() => stop.abort());
  const isRedrawn = world.isTerminal && flags.json !== true;
  const show = isRedrawn ? redrawing(client, world) : appending(flags.json === true, world);
  let hasAnswered = false;
  try {
    while (!stop.signal.aborted) {
      try {
        for await (const event of client.events(stop.signal)) {
          hasAnswered = true;
          await show(event);
        }
      } catch (error) {
        if (stop.signal.aborted) break;
        if (!hasAnswered) throw error;
      }
      if (stop.signal.aborted) break;
      world.complain(`${world.wallTime()} ${client.url} is gone; asking again until it answers\n`);
      await reached(client, world, stop.signal);
    }
    return EXIT.done;
  } finally {
    forget();
  }
}

/** Asks until somebody answers; one complaint is enough. */
async function reached(client: ManagementClient, world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await world.wait(AGAIN_MS, signal);
    if (signal.aborted) return;
    try {
      await client.members();
      return;
    } catch (error) {
      if (!(error instanceof ManagementError)) throw error;
    }
  }
}

type Show = (event: SentEvent) => void | Promise<void>;

/** The whole table again, over the old one. */
const redrawing =
  (client: ManagementClient, world: World): Show =>
  async ({ type, text, value }) => {
    const members =
      type === SNAPSHOT ? (JSON.parse(text) as MembersAnswer) : (await client.members()).value;
    const last = type === SNAPSHOT ? '' : `\nLast: ${eventWords(value)}\n`;
    world.out(overwriting(`${memberTable(members)}${last}\nUntil Ctrl-C.\n`));
  };

const appending =
  (asJson: boolean, world: World): Show =>
  ({ type, text, value }) => {
    if (asJson) world.out(`${text}\n`);
    else if (type === SNAPSHOT) world.out(memberTable(JSON.parse(text) as MembersAnswer));
    else world.out(`${world.wallTime()} ${eventWords(value)}\n`);
  };

const SNAPSHOT = 'CurrentClusterState';

/** From the top left corner, over what is there: nothing flickers, and what was scrolled away stays. */
const overwriting = (text: string): string =>
  `\u001b[H${text.replaceAll('\n', '\u001b[K\n')}\u001b[J`;
