/**
 * A plan from a file: JSON as `--print-plan` wrote it, perhaps changed by hand since. Whatever would be
 * passed over, or lived through as something else, is refused: its verdict would be about another plan.
 */
import { readSettings } from '@rollcall/core';
import { FAULTS, type Plan, type Step } from './plan.js';
import {
  type Check,
  entriesOf,
  type Fields,
  list,
  number,
  object,
  oneOf,
  refuse,
  unlike,
  whole,
  yesOrNo,
} from './plan-field.js';
import { VOTER } from './plan-of-seed.js';

/** A day: nothing that a setting can wait for takes longer, and the simulation ends. */
const MOMENT_MAX_MS = 86_400_000;
const LATENCY_MAX_MS = 60_000;
const NODES_MAX = 200;

/** Throws an Error that names the field, by its path, and says what it takes. */
export function readPlan(text: string): Plan {
  const given = parse(text);
  const { nodes } = (given ?? {}) as { readonly nodes?: unknown };
  planOf(Array.isArray(nodes) ? nodes : [])(given, '');
  const plan = given as Plan;
  checkLists(plan);
  checkLatency(plan);
  checkSettings(plan);
  checkStarts(plan);
  return plan;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`it is not JSON: ${(cause as Error).message}`, { cause });
  }
}

const moment = number(0, MOMENT_MAX_MS);
const chance = number(0, 1);
const latency = number(0, LATENCY_MAX_MS);

const name: Check = (value, path) => {
  if (typeof value === 'string' && /^\w[\w.-]{0,62}$/.test(value)) return;
  refuse(path, 'a name of 1 to 63 letters, digits, dots, dashes and underscores', value);
};

const setting: Check = (value, path) => {
  if (typeof value !== 'string' && typeof value !== 'number')
    refuse(path, 'text or a number, under the dotted name of a setting', value);
};

const settings: Check = (value, path) => {
  for (const [key, each] of entriesOf('settings', value, path)) setting(each, `${path}.${key}`);
};

const level = oneOf('off', 'mild', 'wild');
const levels: Fields = Object.fromEntries(FAULTS.map((fault) => [fault, level]));

/** `nodes` may be anything yet: who is one of them is a name. */
function planOf(nodes: readonly unknown[]): Check {
  const node: Check = (value, path) => {
    if (nodes.includes(value)) return;
    refuse(path, `one of the plan's nodes (${nodes.join(', ')})`, value);
  };
  const needed: Fields = {
    seed: whole(0, Number.MAX_SAFE_INTEGER),
    nodes: list('names', name, [1, NODES_MAX]),
    seeds: list('nodes', node, [1, NODES_MAX]),
    selfFirst: yesOrNo,
    voters: list('nodes', node),
    settings,
    latency: object('a latency', { minMs: latency, maxMs: latency, longTail: yesOrNo }),
    levels: object('the levels of faults', levels),
    steps: list('steps', stepAmong(node)),
    faultsEndMs: moment,
  };
  return object('a plan', needed, { supervisorMs: number(1, MOMENT_MAX_MS) });
}

function stepAmong(node: Check): Check {
  const some = list('nodes', node, [1, NODES_MAX]);
  const one = { node };
  const bad = { forMs: moment, probability: chance, spreadMs: moment };
  const fields: Readonly<Record<Step['kind'], Fields>> = {
    start: one,
    join: one,
    restart: one,
    leave: one,
    crash: one,
    power: one,
    down: { node, target: node },
    pause: { node, forMs: moment },
    partition: { forMs: moment, groups: list('groups of nodes', some, [1, NODES_MAX]) },
    cut: { forMs: moment, node, to: some },
    loss: bad,
    segments: bad,
    delay: bad,
    duplicate: bad,
    reorder: bad,
    lease: { forMs: moment, conduct: oneOf('answering', 'refusing', 'forgetful', 'silent') },
  };
  const kindOf = oneOf(...Object.keys(fields));
  return (value, path) => {
    const kind = entriesOf('a step', value, path).get('kind') as Step['kind'];
    kindOf(kind, `${path}.kind`);
    const always = { id: whole(0, Number.MAX_SAFE_INTEGER), kind: kindOf, atMs: moment };
    const own = fields[kind];
    const others = own === bad ? { around: some } : {};
    object(`a step of kind ${kind}`, { ...always, ...own }, others)(value, path);
  };
}

/** Nobody is named twice where a second time says nothing. */
function checkLists({ nodes, seeds, voters, steps }: Plan): void {
  for (const [path, names] of Object.entries({ nodes, seeds, voters })) {
    unlike(names, (i) => `${path}[${i}]`);
  }
  const ids = steps.map(({ id }) => id);
  unlike(ids, (i) => `steps[${i}].id`);
  for (const [i, step] of steps.entries()) {
    if (step.kind !== 'partition') continue;
    const places = step.groups.flatMap((group, g) => group.map((_, n) => `groups[${g}][${n}]`));
    unlike(step.groups.flat(), (n) => `steps[${i}].${places[n]}`);
  }
}

function checkLatency({ latency: { minMs, maxMs } }: Plan): void {
  if (minMs > maxMs) refuse('latency.maxMs', `at least latency.minMs, which is ${minMs}`, maxMs);
}

/** As a node reads them, and with somebody who counts. */
function checkSettings({ settings: given, voters }: Plan): void {
  try {
    readSettings(given);
  } catch (cause) {
    throw new Error(`settings: ${(cause as Error).message}`, { cause });
  }
  const role = given['downing.role'] ?? '';
  if (role !== '' && role !== VOTER)
    refuse('settings.downing.role', `${VOTER}, the role of those in voters, or nothing`, role);
  if (role === VOTER && voters.length === 0)
    refuse('voters', `a list of nodes, at least 1 as downing.role is ${VOTER}`, voters);
}

/** Without anybody it would be a history that ends well. */
function checkStarts({ steps }: Plan): void {
  const starting: readonly string[] = ['start', 'join', 'restart'];
  if (!steps.some(({ kind }) => starting.includes(kind)))
    throw new Error(`steps has none of kind ${starting.join(', ')}: nobody would ever run`);
}
