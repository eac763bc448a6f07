/**
 * An event as a sentence, for whoever watches a terminal. The statuses are those of the members table; the
 * node that answers may be of a later version, so what is not known is told all the same.
 */
import type { EventAnswer } from '@rollcall/management';

export function eventWords(event: EventAnswer): string {
  const { member, why } = event;
  const because = why === undefined ? '' : ` (${why})`;
  if (member === undefined) return WORDS[event.type]?.(event) ?? unknownWords(event);
  const by = member.observedBy.length === 0 ? '' : `, say ${member.observedBy.join(', ')}`;
  const is = /^(Reachable|Unreachable|Suspected)Member$/.test(event.type)
    ? `is ${member.reachability}${by}`
    : `is ${member.status}`;
  return `${member.node} ${is}${because}`;
}

/** What is about no single member. */
const WORDS: Readonly<Record<string, (event: EventAnswer) => string>> = {
  ConvergenceReached: () => 'all have seen the same state',
  ConvergenceLost: () => 'a change that not all have seen yet',
  SelfUp: () => 'the node that is asked is Up',
  SelfRemoved: ({ why }) => `the node that is asked is out: ${why}`,
  JoinRefused: ({ refusal }) => {
    const { by, message } = refusal as { readonly by: string; readonly message: string };
    return `${by} refused the node that is asked: ${message}`;
  },
  JoinStalled: ({ tried }) => `nobody has let the node in yet: ${listed(tried, '; ')}`,
  IslandDetected: ({ via, theirs, ours }) =>
    `another cluster of this name was met through ${via} (theirs: ${listed(theirs)}; ours: ${listed(ours)})`,
  LocalPauseDetected: ({ pauseMs }) =>
    `the process that is asked did not run for ${Math.round(Number(pauseMs))} ms`,
  DowningDecided: ({ stay, go, why }) =>
    `decided who stays (${why}): ${countOf(stay)} stay, ${countOf(go)} go: ${listed(go)}`,
};

const listed = (values: unknown, between = ', '): string =>
  Array.isArray(values) && values.length > 0 ? values.join(between) : 'nobody';

const countOf = (values: unknown): number => (Array.isArray(values) ? values.length : 0);

const SHOWN = new Set(['type', 'why', 'convergence', 'digest']);

/** `NewThing` as `new thing`, with all that was said about it. */
function unknownWords(event: EventAnswer): string {
  const words = event.type.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  const facts = Object.entries(event).filter(([name]) => !SHOWN.has(name));
  const told = facts.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('');
  return `${words}${event.why === undefined ? '' : ` (${event.why})`}${told}`;
}
