/** `members`, `blockers`, `links`, `leave`, `down`: one question each, answered on stdout. */
import type { BlockersAnswer } from '@rollcall/management';
import { EXIT, type ExitCode, unusable } from './exit-code.js';
import { linkTable } from './link-table.js';
import { ManagementClient } from './management-client.js';
import { memberTable } from './member-table.js';
import { readSecret } from './text-file.js';
import type { World } from './world.js';

export interface ClientFlags {
  readonly management?: string;
  readonly managementTokenFile?: string;
  readonly json?: boolean;
}

export function clientOf(
  { management, managementTokenFile }: ClientFlags,
  world: World,
): ManagementClient {
  if (management === undefined) {
    throw unusable('--management', 'which node? Give --management URL, as `rollcall node` logs it');
  }
  const token =
    managementTokenFile === undefined
      ? undefined
      : readSecret('--management-token-file', managementTokenFile);
  return new ManagementClient(management, world.fetch, token);
}

export async function membersCommand(flags: ClientFlags, world: World): Promise<ExitCode> {
  const { text, value } = await clientOf(flags, world).members();
  world.out(flags.json === true ? text : memberTable(value));
  return EXIT.done;
}

export async function blockersCommand(flags: ClientFlags, world: World): Promise<ExitCode> {
  const { text, value } = await clientOf(flags, world).blockers();
  world.out(flags.json === true ? text : blockersText(value));
  return EXIT.done;
}

export async function linksCommand(flags: ClientFlags, world: World): Promise<ExitCode> {
  const { text, value } = await clientOf(flags, world).links();
  world.out(flags.json === true ? text : linkTable(value));
  return EXIT.done;
}

export async function leaveCommand(
  node: string,
  flags: ClientFlags,
  world: World,
): Promise<ExitCode> {
  const { text, value } = await clientOf(flags, world).leave(readNode('leave', node));
  world.out(flags.json === true ? text : `${value.message}\n`);
  return EXIT.done;
}

export async function downCommand(
  node: string,
  flags: ClientFlags,
  world: World,
): Promise<ExitCode> {
  const { text, value } = await clientOf(flags, world).down(readNode('down', node));
  world.out(flags.json === true ? text : `${value.message}\n`);
  return EXIT.done;
}

/** An empty text, as from a variable that is not set, is nobody. */
function readNode(command: string, node: string): string {
  if (node.trim() !== '') return node;
  const takes = `rollcall ${command} NODE: ws://host:port, or host:port`;
  throw unusable('NODE', `NODE is missing: ${takes}, as \`rollcall members\` shows it`);
}

function blockersText({ blockers, convergence, selfNode }: BlockersAnswer): string {
  if (blockers.length > 0) {
    return blockers.map(({ text, resolve }) => `${text}\n  ${resolve}\n`).join('');
  }
  const state = convergence ? 'all have seen the same state' : 'agreement is under way';
  return `Nothing is in the way at ${selfNode}: ${state}.\n`;
}
