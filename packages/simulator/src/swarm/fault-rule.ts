/** From a step that spoils the network to the rule that does it, and to what a trace calls it. */
import {
  around,
  cut,
  duplicate,
  latency,
  loss,
  partition,
  type Rule,
  reorder,
  segmentLoss,
  uniform,
} from '../rule.js';
import type { CutStep, LinkStep, PartitionStep } from './plan.js';

export type RuleStep = PartitionStep | CutStep | LinkStep;

export function ruleOf(step: RuleStep): Rule {
  if (step.kind === 'partition') return partition(...step.groups);
  if (step.kind === 'cut') {
    const rules = step.to.map((to) => cut(step.node, to));
    return (packet, random) => (rules.some((r) => r(packet, random) === 'drop') ? 'drop' : 'pass');
  }
  const rule = linkRule(step);
  return step.around === undefined ? rule : around(step.around, rule);
}

function linkRule({ kind, probability, spreadMs }: LinkStep): Rule {
  switch (kind) {
    case 'loss':
      return loss(probability);
    case 'segments':
      return atMost(HELD_MAX_MS, segmentLoss(probability));
    case 'delay':
      return sometimes(probability, latency(uniform(0, spreadMs)));
    case 'duplicate':
      return duplicate(probability, spreadMs);
    case 'reorder':
      return reorder(probability, spreadMs);
  }
}

/**
 * TCP waits ever longer between two tries, up to minutes. Here a link is held up no longer than this by one
 * such fault, or what it holds would come long after all faults are over; a cut is there for more.
 */
const HELD_MAX_MS = 3_000;

const atMost =
  (mostMs: number, rule: Rule): Rule =>
  (packet, random) => {
    const verdict = rule(packet, random);
    if (typeof verdict === 'string' || verdict.kind !== 'delay') return verdict;
    return { ...verdict, delayMs: Math.min(verdict.delayMs, mostMs) };
  };

const sometimes =
  (probability: number, rule: Rule): Rule =>
  (packet, random) =>
    random.next() < probability ? rule(packet, random) : 'pass';

/** What it is, without its moment: `partition n1 n2 | n3`. */
export function wordsOf(step: RuleStep): string {
  if (step.kind === 'partition') {
    return `partition ${step.groups.map((group) => group.join(' ')).join(' | ')}`;
  }
  if (step.kind === 'cut') return `cut ${step.node} -> ${step.to.join(' ')}`;
  const { kind, probability, spreadMs } = step;
  const where = step.around === undefined ? 'everywhere' : `around ${step.around.join(' ')}`;
  const spread = kind === 'loss' || kind === 'segments' ? '' : ` up to ${spreadMs} ms`;
  return `${kind} ${Math.round(probability * 100)} %${spread} ${where}`;
}
