import { describe, expect, test } from 'vitest';
import type { Plan } from './plan.js';
import { planOf } from './plan-of-seed.js';
import { readPlan } from './read-plan.js';
import { reduce } from './reduction.js';

const start = { id: 0, kind: 'start', node: 'a', atMs: 0 };
const GOOD = {
  ...planOf(1),
  nodes: ['a', 'b', 'c'],
  seeds: ['a', 'b'],
  voters: [],
  settings: { 'downing.strategy': 'keep-majority' },
  steps: [start],
} as unknown as Plan;

const refusal = (change: object): string => {
  try {
    readPlan(JSON.stringify({ ...GOOD, ...change }));
    return 'nothing';
  } catch (error) {
    expect(error).not.toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
};
const step = (more: object) => ({ steps: [start, { id: 1, atMs: 5, ...more }] });
const LATENCY = { minMs: 1, maxMs: 2, longTail: false };
const AMONG = "one of the plan's nodes (a, b, c)";

test('what the others are spoilt from is a plan', () => {
  expect(readPlan(JSON.stringify(GOOD))).toEqual(GOOD);
});

test('every plan of a seed, and what is left of it, is one', () => {
  for (let seed = 0; seed < 100; seed++) {
    for (const nodes of [1, 2, 30]) {
      const plan = reduce(planOf(seed), { nodes, without: ['crash'] });
      expect(readPlan(JSON.stringify(plan))).toEqual(plan);
    }
  }
});

describe('what is no plan is refused, with the field and what it takes', () => {
  test.each<[string, object, string]>([
    ['one that is missing', { seeds: undefined }, 'it lacks seeds: a plan has seed, nodes, seeds'],
    ['one that there is not', { supervisorMS: 5 }, 'there is no supervisorMS: a plan has'],
    ['a seed', { seed: 1.5 }, 'seed takes a whole number from 0'],
    ['no nodes', { nodes: [], seeds: [] }, 'nodes takes a list of names, at least 1, not []'],
    ['too many nodes', { nodes: Array(201).fill('a') }, 'nodes takes a list of names, at most 200'],
    ['a node', { nodes: ['a', 'b', 'c', 'ws://d:1'] }, 'nodes[3] takes a name of 1 to 63 letters'],
    ['a node twice', { nodes: ['a', 'b', 'c', 'b'] }, 'nodes[3] is "b", as nodes[1] is'],
    ['no list of nodes', { nodes: 5 }, 'nodes takes a list of names, not 5'],
    ['a seed that is no node', { seeds: ['a', 'z'] }, `seeds[1] takes ${AMONG}, not "z"`],
    ['a seed twice', { seeds: ['a', 'a'] }, 'seeds[1] is "a", as seeds[0] is'],
    ['no seeds', { seeds: [] }, 'seeds takes a list of nodes, at least 1'],
    ['a voter that is no node', { voters: ['z'] }, `voters[0] takes ${AMONG}, not "z"`],
    ['a voter twice', { voters: ['a', 'a'] }, 'voters[1] is "a", as voters[0] is'],
    ['a word for a yes', { selfFirst: 'no' }, 'selfFirst takes true or false, not "no"'],
    [
      'a latency of text',
      { latency: { ...LATENCY, minMs: 'a' } },
      'latency.minMs takes a number from 0 to 60000, not "a"',
    ],
    [
      'a latency that ends before it begins',
      { latency: { ...LATENCY, minMs: 3 } },
      'latency.maxMs takes at least latency.minMs, which is 3, not 2',
    ],
    ['no latency', { latency: null }, 'latency takes a latency as a JSON object, not null'],
    ['half a latency', { latency: { minMs: 1 } }, 'latency lacks maxMs, longTail'],
    [
      'a level',
      { levels: { ...GOOD.levels, crash: 'hot' } },
      'levels.crash takes one of off, mild',
    ],
    ['a fault that is none', { levels: { ...GOOD.levels, rain: 'off' } }, 'no levels.rain'],
    [
      'an end before the beginning',
      { faultsEndMs: -1 },
      'faultsEndMs takes a number from 0 to 864',
    ],
    ['an end in thirty years', { faultsEndMs: 1e12 }, 'not 1000000000000'],
    ['a supervisor in no hurry', { supervisorMs: 1e12 }, 'supervisorMs takes a number from 1 to'],
    ['an unknown setting', { settings: { 'downing.rol': 'x' } }, 'settings: there is no setting'],
    ['a bad setting', { settings: { profile: 'moon' } }, 'settings: profile takes one of lan'],
    [
      'a tree of settings',
      { settings: { downing: {} } },
      'settings.downing takes text or a number',
    ],
    ['no settings', { settings: [] }, 'settings takes settings as a JSON object, not []'],
    [
      'a role that nobody has',
      { settings: { 'downing.role': 'core' } },
      'settings.downing.role takes voter, the role of those in voters, or nothing, not "core"',
    ],
    ['a role without voters', { settings: { 'downing.role': 'voter' } }, 'voters takes a list of'],
    ['no steps', { steps: 'none' }, 'steps takes a list of steps, not "none"'],
    ['nobody who starts', { steps: [] }, 'nobody would ever run'],
  ])('%s', (_, change, said) => {
    expect(refusal(change)).toContain(said);
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'steps[1] takes a step as a JSON object, not null'],
    ['a kind', { kind: 'explode' }, 'steps[1].kind takes one of start, join'],
    ['work that is no step', { kind: 'supervisor' }, 'steps[1].kind takes one of start'],
    ['no kind', { node: 'a' }, 'steps[1].kind takes one of start'],
    ['no moment', { kind: 'crash', node: 'a', atMs: undefined }, 'steps[1] lacks atMs'],
    ['a moment', { kind: 'crash', node: 'a', atMs: -1 }, 'steps[1].atMs takes a number from 0'],
    ['a number twice', { kind: 'crash', node: 'a', id: 0 }, 'steps[1].id is 0, as steps[0].id is'],
    ['a node that is none', { kind: 'crash', node: 'z' }, `steps[1].node takes ${AMONG}, not "z"`],
    ['nobody to down', { kind: 'down', node: 'a' }, 'steps[1] lacks target'],
    [
      'a target that is none',
      { kind: 'down', node: 'a', target: 'z' },
      'steps[1].target takes one',
    ],
    ['a pause of text', { kind: 'pause', node: 'a', forMs: '1s' }, 'steps[1].forMs takes a number'],
    ['a field of another kind', { kind: 'crash', node: 'a', forMs: 5 }, 'no steps[1].forMs'],
    [
      'a group of strangers',
      { kind: 'partition', forMs: 5, groups: [['a'], ['b', 'z']] },
      `steps[1].groups[1][1] takes ${AMONG}`,
    ],
    [
      'a node on two sides',
      { kind: 'partition', forMs: 5, groups: [['a'], ['b', 'a']] },
      'steps[1].groups[1][1] is "a", as steps[1].groups[0][0] is',
    ],
    [
      'a cut to nobody',
      { kind: 'cut', forMs: 5, node: 'a', to: [] },
      'steps[1].to takes a list of',
    ],
    [
      'a chance above one',
      { kind: 'loss', forMs: 5, probability: 20, spreadMs: 0 },
      'steps[1].probability takes a number from 0 to 1, not 20',
    ],
    [
      'bad links around a stranger',
      { kind: 'loss', forMs: 5, probability: 1, spreadMs: 0, around: ['z'] },
      `steps[1].around[0] takes ${AMONG}`,
    ],
    [
      'a lease that does what none does',
      { kind: 'lease', forMs: 5, conduct: 'foo' },
      'steps[1].conduct takes one of answering, refusing, forgetful, silent, not "foo"',
    ],
  ])('a step: %s', (_, more, said) => {
    const change = more === null ? { steps: [start, null] } : step(more as object);
    expect(refusal(change)).toContain(said);
  });

  test.each([
    ['no JSON', 'nonsense', 'it is not JSON: '],
    ['text', '"plan"', 'the file takes a plan as a JSON object, not "plan"'],
    ['null', 'null', 'the file takes a plan as a JSON object, not null'],
    ['a list', '[]', 'the file takes a plan as a JSON object, not []'],
    ['something else', '{"seed":1}', 'it lacks nodes, seeds, selfFirst, voters'],
  ])('a file with %s in it', (_, text, said) => {
    expect(() => readPlan(text)).toThrow(said);
  });
});
