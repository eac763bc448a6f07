/** A plan in words: what a person reads before the trace. */
import { settingRows } from '@rollcall/core';
import { settingsOf } from './draw-settings.js';
import { wordsOf } from './fault-rule.js';
import { FAULTS, type Level, type Plan, partOf, type Step } from './plan.js';
import { boundMs } from './survive.js';

const INDENT = 10;
const WIDTH = 100;

/** Who, with which settings, what goes wrong and what they are told to do; no line is wider than a screen. */
export function planWords(plan: Plan): readonly string[] {
  const { nodes, seeds, selfFirst, voters, settings, latency, supervisorMs, faultsEndMs } = plan;
  const strategy = settings['downing.strategy'] ?? 'keep-majority';
  const lists = selfFirst ? ', each of them with itself at the head' : '';
  const tail = latency.longTail ? ', mostly the first' : '';
  const supervised =
    supervisorMs === undefined
      ? 'nobody starts them again'
      : `whoever crashes or stops itself is started again after ${supervisorMs} ms`;
  const bound = Math.round(boundMs(settingsOf(settings), supervisorMs));
  return [
    ...lines('seed', `${plan.seed}: ${nodes.length} nodes, ${strategy}`),
    ...lines('settings', settingsWords(settings)),
    ...(voters.length > 0 ? lines('voters', voters.join(' ')) : []),
    ...lines('seeds', `${seeds.join(' ')}${lists}`),
    ...lines('network', `${latency.minMs} to ${latency.maxMs} ms one way${tail}`),
    ...lines('faults', faultWords(plan)),
    ...lines('nodes', supervised),
    ...lines('steps', 'each with its number, by which --steps keeps it'),
    ...plan.steps.map(stepWords),
    ...lines(
      'then',
      `every fault ends at ${faultsEndMs} ms; at rest within ${bound} ms, or it is stuck`,
    ),
  ];
}

/** A head and its text, broken between words and set below each other. */
function lines(head: string, text: string): readonly string[] {
  const broken: string[] = [];
  let line = head.padEnd(INDENT - 1);
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      broken.push(line);
      line = ' '.repeat(INDENT - 1);
    }
    line += ` ${word}`;
  }
  return [...broken, line];
}

function settingsWords(settings: Plan['settings']): string {
  const given = Object.entries(settings).filter(([name]) => name !== 'downing.strategy');
  if (given.length === 0) return 'all as they are by default';
  const shown = given.map(([name, value]) => `${name}=${valueWords(name, value)}`);
  return `${shown.join(' ')}, the rest by default`;
}

/** With its unit, as a person would write it. */
function valueWords(name: string, value: string | number): string {
  const setting = settingRows.find((row) => row.name === name)?.setting;
  const answer = setting?.read(value);
  return setting === undefined || answer === undefined || 'problem' in answer
    ? String(value)
    : setting.show(answer.value);
}

function faultWords({ levels }: Plan): string {
  const of = (level: Level) => FAULTS.filter((fault) => levels[fault] === level).join(', ');
  const words = (['wild', 'mild', 'off'] as const).map((level) => [level, of(level)] as const);
  const some = words.filter(([, faults]) => faults !== '');
  return some.map(([level, faults]) => `${level}: ${faults}`).join('; ');
}

function stepWords(step: Step): string {
  const number = partOf(step) === undefined ? '' : `${step.id}`;
  const at = `${number.padStart(4)}  ${String(step.atMs).padStart(7)} ms`;
  return `${' '.repeat(INDENT)}${at}  ${whatWords(step)}`;
}

function whatWords(step: Step): string {
  switch (step.kind) {
    case 'down':
      return `${step.node} marks ${step.target} down`;
    case 'pause':
      return `${step.node} stands still for ${step.forMs} ms`;
    case 'lease':
      return `the lease is ${step.conduct}, for ${step.forMs} ms`;
    case 'power':
      return `${step.node} loses power`;
    case 'start':
    case 'join':
    case 'restart':
    case 'leave':
    case 'crash':
      return `${step.node} ${VERBS[step.kind]}`;
    default:
      return `${wordsOf(step)}, for ${step.forMs} ms`;
  }
}

const VERBS = {
  start: 'starts',
  join: 'joins',
  restart: 'is killed if it runs, and starts again under a new uid',
  leave: 'leaves',
  crash: 'is killed',
} as const;
