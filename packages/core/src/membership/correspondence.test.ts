import type { NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, stateOf, upMember } from './stage.testing.js';

const keys = Array.from({ length: 20 }, (_, i): NodeKey => `ws://n${i}:7000#00000000000000b1`);

/** A member of a cluster that its rings do not cover, and those it has no link to. */
function among(limits: Record<string, unknown> = {}) {
  const gossip = { farInterval: '200ms' };
  const stage = new Stage({ heartbeat: { rings: 1 }, gossip, limits }, ['ws://n0:7000']);
  stage.enters(stateOf(keys.map((key) => upMember(key))), keys[0] as NodeKey);
  const near = new Set(stage.machine.links(stage.nowMs).map(({ subject }) => subject));
  const far = keys.filter((key) => !near.has(key) && key !== keys[0]);
  return { stage, far };
}

const addressesOf = (out: readonly { readonly kind: string }[], kind: string) =>
  out.flatMap((each) =>
    each.kind === kind ? [(each as unknown as { address: string }).address] : [],
  );
const addressOf = (key: NodeKey | undefined) => key?.split('#')[0];

describe('a member that is written to', () => {
  it('is linked at once, and no second time', () => {
    const { stage, far } = among();
    const [to = ''] = far;
    expect(addressesOf(stage.step({ kind: 'write', to }), 'link')).toEqual([addressOf(to)]);
    expect(stage.step({ kind: 'write', to })).toEqual([]);
  });

  it('is let go when it has not been written to for limits.idleLink', () => {
    const { stage, far } = among({ idleLink: '1s' });
    const [to = ''] = far;
    stage.step({ kind: 'write', to });
    expect(addressesOf(stage.passes(900), 'unlink')).not.toContain(addressOf(to));
    stage.step({ kind: 'write', to });
    expect(addressesOf(stage.passes(900), 'unlink')).not.toContain(addressOf(to));
    expect(addressesOf(stage.passes(500), 'unlink')).toContain(addressOf(to));
  });

  it('gives way to others, the one written to longest ago first, past limits.correspondents', () => {
    const { stage, far } = among({ correspondents: 2 });
    const [a = '', b = '', c = ''] = far;
    for (const to of [a, b, a]) stage.step({ kind: 'write', to });
    const out = stage.step({ kind: 'write', to: c });
    expect(addressesOf(out, 'unlink')).toEqual([addressOf(b)]);
    expect(addressesOf(out, 'link')).toEqual([addressOf(c)]);
  });

  it('must be a live member here', () => {
    const { stage } = among();
    expect(stage.step({ kind: 'write', to: 'ws://x:7000#00000000000000f1' })).toEqual([]);
  });
});
