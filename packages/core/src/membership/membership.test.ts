import type { Member } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import type { Directive } from './directive.js';
import type { Input, TimerKind } from './input.js';
import { outside, Stage, seenByAll, stateOf, told, upMember } from './stage.testing.js';

const A = 'ws://a:7000#00000000000000a1';
const B = 'ws://b:7000#00000000000000b1';
const timers: readonly TimerKind[] = [
  ...(['tick', 'verdict', 'flush', 'join'] as const),
  ...(['admit', 'downing', 'leave', 'repair'] as const),
];

function member(settings: Record<string, unknown> = {}) {
  const stage = new Stage(settings, ['ws://a:7000']);
  const state = stage.enters(stateOf([upMember(A), upMember(B)]), A);
  return { stage, state };
}
const linkChanges = (directives: readonly Directive[]) =>
  directives.flatMap((each) =>
    each.kind === 'link' || each.kind === 'unlink' ? [`${each.kind} ${each.address}`] : [],
  );

describe('a timer', () => {
  it('that was armed anew meanwhile is stale, and does nothing', () => {
    const { stage } = member();
    for (const kind of timers) {
      stage.step({ kind: 'timer', timer: { kind, dueMs: stage.nowMs - 123 } });
      expect(stage.out, kind).toEqual([]);
    }
  });

  it('does nothing the second time', () => {
    const { stage } = member();
    stage.passes(990);
    const armed = stage.passes(1_000).filter((each) => each.kind === 'arm');
    const tick = armed.find((each) => each.kind === 'arm' && each.timer.kind === 'tick');
    if (tick?.kind !== 'arm') throw new Error('no heartbeat is due');
    stage.nowMs = tick.timer.dueMs;
    stage.step({ kind: 'timer', timer: tick.timer });
    expect(stage.sent('heartbeat').length).toBeGreaterThan(0);
    stage.step({ kind: 'timer', timer: tick.timer });
    expect(stage.out).toEqual([]);
  });

  it('of a cluster that was left behind does nothing in the next', () => {
    const stage = new Stage().founds();
    stage.passes(3_000);
    stage.hears(A, {
      kind: 'seedAsk',
      standing: { ...outside, clusterId: A, size: 2, acceptors: [A] },
    });
    const kinds = new Set<string>();
    for (const each of stage.passes(2_000)) kinds.add(each.kind);
    expect(kinds).toEqual(new Set(['arm']));
  });
});

describe('the links a node wants', () => {
  it('are those to its seeds while it looks for a cluster, and to its neighbours when it is in one', () => {
    const stage = new Stage({}, ['ws://a:7000', 'ws://s:7000']);
    stage.step({ kind: 'start' });
    expect(linkChanges(stage.resolves())).toEqual(['link ws://a:7000', 'link ws://s:7000']);
    const other = new Stage({}, ['ws://a:7000', 'ws://s:7000']);
    const all: Directive[] = [];
    const step = other.step.bind(other);
    other.step = (input: Input) => {
      const out = step(input);
      all.push(...out);
      return out;
    };
    other.enters(stateOf([upMember(A), upMember(B)]), A);
    expect(linkChanges(all)).toEqual([
      'link ws://a:7000',
      'link ws://s:7000',
      'unlink ws://s:7000',
      'link ws://b:7000',
    ]);
  });

  it('go with the member', () => {
    const { stage, state } = member();
    const exited = state.with({ ...(state.get(B) as Member), status: 'Exited' });
    stage.hears(B, told(null, exited, B));
    expect(linkChanges(stage.out)).toEqual(['unlink ws://b:7000']);
  });

  it('never lead to itself', () => {
    const stage = new Stage({}, ['ws://a:7000', 'ws://m:7000']);
    stage.step({ kind: 'start' });
    expect(linkChanges(stage.resolves('ws://m:7000', 'ws://a:7000'))).toEqual(['link ws://a:7000']);
    stage.links(A);
    stage.hears(A, {
      kind: 'seedAnswer',
      standing: {
        ...outside,
        clusterId: A,
        size: 1,
        acceptors: ['ws://m:7000#9', 'ws://b:7000#9'],
      },
    });
    expect(linkChanges(stage.out)).not.toContain('link ws://m:7000');
  });
});

describe('an event', () => {
  it('is told before the state it led to is published', () => {
    const stage = new Stage();
    stage.step({ kind: 'start' });
    const kinds = stage.resolves().flatMap((each) => {
      if (each.kind === 'publish') return ['publish'];
      return each.kind === 'emit' ? [each.event.type] : [];
    });
    expect(kinds).toEqual(['memberUp', 'convergenceReached', 'publish', 'selfUp']);
  });

  it('says how this node came to know', () => {
    const { stage, state } = member();
    const leaving = state.with({ ...(state.get(B) as Member), status: 'Leaving' });
    stage.hears(A, told(null, leaving, A));
    expect(stage.told('memberLeft')[0]?.why).toBe('told by ws://a:7000');
    stage.hears(A, seenByAll(leaving));
    expect(stage.told('memberExited')[0]?.why).toBe(`agreed at epoch ${state.epoch + 1}`);
  });
});

describe('a step', () => {
  const inputs = (): Input[] => [
    { kind: 'start' },
    { kind: 'received', from: A, message: { kind: 'join', roles: [], appVersion: '1' } },
    { kind: 'received', from: A, message: { kind: 'seedAsk', standing: outside } },
    {
      kind: 'linkUp',
      peer: { cluster: 'test', protocol: { min: 1, max: 1 }, self: B, settings: [] },
      dialled: undefined,
    },
    { kind: 'linkDown', peer: A },
    { kind: 'dialFailed', address: 'ws://a:7000', reason: 'no', refusal: undefined },
    { kind: 'resolved', seeds: [] },
    { kind: 'probed', address: 'ws://a:7000', found: undefined },
    { kind: 'leave' },
    { kind: 'askToLeave', subject: A, ticket: 1 },
    { kind: 'down', subject: A, ticket: 1 },
    ...timers.map((kind): Input => ({ kind: 'timer', timer: { kind, dueMs: 0 } })),
  ];

  it('after the end gives nothing, whatever comes in', () => {
    const { stage } = member();
    stage.hears(A, { kind: 'notMember', removed: true, epoch: 99 });
    expect(stage.out.at(-1)).toMatchObject({ kind: 'stop', reason: 'removed' });
    for (const input of inputs()) expect(stage.step(input), input.kind).toEqual([]);
    expect(stage.passes(100_000)).toEqual([]);
  });

  it('ends with stop when the node stops: nothing is asked for behind it', () => {
    const { stage } = member();
    stage.step({ kind: 'down', subject: stage.self, ticket: 1 });
    const kinds = stage.out.map(({ kind }) => kind);
    expect(kinds).toContain('stop');
    expect(kinds.indexOf('stop')).toBe(kinds.length - 1);
  });

  it('is the same for the same inputs, times and chances', () => {
    const history = () => {
      const { stage } = member();
      return JSON.stringify(inputs().map((input) => [stage.step(input), stage.passes(700)]));
    };
    expect(history()).toBe(history());
  });
});
