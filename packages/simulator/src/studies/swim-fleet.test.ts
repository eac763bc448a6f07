import { swimOptions } from '@rollcall/failure-detector';
import { describe, expect, it } from 'vitest';
import { SwimFleet } from './swim-fleet.js';

function live(seed: number, script: (fleet: SwimFleet) => void, loss = 0) {
  const verdicts: string[] = [];
  const fleet: SwimFleet = new SwimFleet({
    seed,
    nodes: 8,
    swim: swimOptions('lan'),
    loss,
    onVerdict: (observer, { member, status }, nowMs) =>
      verdicts.push(`${nowMs.toFixed(3)} ${observer}: ${member} ${status}`),
  });
  script(fleet);
  return { verdicts, fleet };
}

describe('a fleet of SWIM nodes', () => {
  it('lives the same life again from the same seed, and another from another', () => {
    const life = (seed: number) => {
      const { verdicts, fleet } = live(seed, (each) => each.run(60_000), 0.3);
      return [...verdicts, fleet.steps, fleet.packets];
    };
    expect(life(1)).toEqual(life(1));
    expect(life(1)).not.toEqual(life(2));
  });

  it('declares a crashed node dead, and no other', () => {
    const { verdicts, fleet } = live(1, (each) => {
      each.run(5_000);
      each.crash(3);
      each.run(40_000);
    });
    const dead = verdicts.filter((line) => line.endsWith('dead'));
    expect(dead).toHaveLength(7);
    expect(dead.every((line) => line.endsWith(': 3 dead'))).toBe(true);
    expect(fleet.nowMs).toBe(40_000);
  });

  it('keeps what a node says while it is cut off, and loses what it is told', () => {
    const { fleet } = live(1, (each) => {
      each.run(5_000);
      each.cutOff(0);
      each.run(8_000);
    });
    const [cut, other] = [fleet.nodes[0], fleet.nodes[1]];
    const suspects = [1, 2, 3, 4, 5, 6, 7].filter((id) => cut?.statusOf(id) === 'suspect');
    expect(suspects.length).toBeGreaterThan(0);
    for (const id of suspects) expect(other?.statusOf(id)).toBe('alive');
    fleet.reconnect(0);
    fleet.run(8_000 + 1_000);
    // All of them have heard the accusation, and objected.
    for (const id of suspects) expect(fleet.nodes[id]?.incarnation).toBe(2);
    expect(suspects.map((id) => cut?.statusOf(id))).toEqual(suspects.map(() => 'alive'));
  });
});
