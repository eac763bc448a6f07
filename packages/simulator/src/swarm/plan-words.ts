/** A plan in words: what a person reads before the trace. */
import { showDuration } from '@rollcall/core';
import { settingsOf } from './draw-settings.js';
import { wordsOf } from './fault-rule.js';
import { FAULTS, type Level, type Plan, partOf, type Step } from './plan.js';
import { boundMs } from './survive.js';

const WIDTH = 10;

/** Who, with which settings, what goes wrong and what they are told to do, a line each. */
export function planWords(plan: Plan): readonly string[] {
  const { nodes, seeds, selfFirst, voters, settings, latency, supervisorMs, faultsEndMs } = plan;
  const strategy = settings['downing.strategy'] ?? 'keep-majority';
  const line = (head: string, text: string) => `${head.padEnd(WIDTH)}${text}`;
  const lists = selfFirst ? ', each of them with itself at the head' : '';
  const tail = latency.longTail ? ', mostly the first' : '';
  const supervised =
    supervisorMs === undefined
      ? 'nobody starts them again'
      : `whoever crashes or stops itself is started again after ${supervisorMs} ms`;
  const bound = showDuration(Math.round(boundMs(settingsOf(settings), supervisorMs)));
  return [
    line('seed', `${plan.seed}: ${nodes.length} nodes, ${strategy}`),
    line('settings', settingsWords(settings)),
    ...(voters.length > 0 ? [line('voters', voters.join(' '))] : []),
    line('seeds', `${seeds.join(' ')}${lists}`),
    line('network', `${latency.minMs} to ${latency.maxMs} ms one way${tail}`),
    line('faults', faultWords(plan)),
    line('nodes', supervised),
    line(
      'steps',
      `from --steps, each with its number; what breaks is whole again by ${faultsEndMs} ms`,
    ),
    ...plan.steps.map((step) => `${' '.repeat(WIDTH)}${stepWords(step)}`),
    line('then', `every fault stops at ${faultsEndMs} ms; at rest within ${bound}, or it is stuck`),
  ];
}

function settingsWords(settings: Plan['settings']): string {
  const given = Object.entries(settings).filter(([name]) => name !== 'downing.strategy');
  if (given.length === 0) return 'all as they are by default';
  return `${given.map(([name, value]) => `${name}=${value}`).join(' ')}, the rest by default`;
}

function faultWords({ levels }: Plan): string {
  const of = (level: Level) => FAULTS.filter((fault) => levels[fault] === level).join(', ');
  const words = (['wild', 'mild', 'off'] as const).map((level) => [level, of(level)] as const);
  const some = words.filter(([, faults]) => faults !== '');
  return some.map(([level, faults]) => `${level}: ${faults}`).join('; ');
}

function stepWords(step: Step): string {
  const number = partOf(step) === undefined ? '' : `${step.id}`;
  return `${number.padStart(4)}  ${String(step.atMs).padStart(7)} ms  ${whatWords(step)}`;
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
  restart: 'is killed, and starts under a new uid',
  leave: 'leaves',
  crash: 'is killed',
} as const;
