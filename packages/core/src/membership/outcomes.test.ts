import type { NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, stateOf, upMember } from './stage.testing.js';

const A: NodeKey = 'ws://a:7000#00000000000000a1';
const B: NodeKey = 'ws://b:7000#00000000000000b1';

function among() {
  const stage = new Stage({}, ['ws://a:7000']);
  stage.enters(stateOf([A, B].map((key) => upMember(key))), A);
  const report = (subject: NodeKey, outcomes: string) => {
    const said: (readonly NodeKey[])[] = [];
    for (const each of outcomes)
      for (const directive of stage.step({ kind: 'report', subject, isGood: each === '+' }))
        if (directive.kind === 'degraded') said.push([...directive.nodes]);
    return said;
  };
  return { stage, report };
}

describe('reported outcomes', () => {
  it('make a member degraded when half of the last ten or more failed, and are said once', () => {
    const { report } = among();
    expect(report(A, '---------')).toEqual([]);
    expect(report(A, '---')).toEqual([[A]]);
    expect(report(B, '----------')).toEqual([[A, B]]);
  });

  it('make it well again, by going well or by being forgotten', () => {
    const { stage, report } = among();
    report(A, '-----+++++');
    expect(report(A, '++++++++++')).toEqual([[]]);
    report(B, '----------');
    const said = stage.passes(31_000).filter(({ kind }) => kind === 'degraded');
    expect(said).toEqual([{ kind: 'degraded', nodes: new Set() }]);
  });

  it('of somebody who is no member are nothing', () => {
    const { report } = among();
    expect(report('ws://x:7000#00000000000000d1', '----------')).toEqual([]);
  });

  it('convict nobody', () => {
    const { stage, report } = among();
    report(A, '--------------------');
    expect(stage.machine.state.members.map(({ reachability }) => reachability)).toEqual([
      'reachable',
      'reachable',
      'reachable',
    ]);
  });
});
