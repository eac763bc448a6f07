import { describe, expect, it } from 'vitest';
import { Swim } from './swim.js';
import type { SwimPacket } from './swim-message.js';
import { SWIM_VARIANTS, swimOptions } from './swim-options.js';
import { packetTo, SwimWorld, said } from './swim-world.testing.js';

const kinds = (packets: readonly SwimPacket[]) => packets.map(({ kind }) => kind);

describe('five members that hear each other', () => {
  it('probe each other, and nobody is ever suspected', () => {
    const world = new SwimWorld(5);
    world.runFor(60_000);
    expect(world.verdicts.filter(({ status }) => status !== 'alive')).toEqual([]);
    for (const { probes, score } of world.nodes) {
      expect(probes.ended).toBeGreaterThanOrEqual(59);
      expect(probes.failed).toBe(0);
      expect(score).toBe(0);
    }
  });

  it('when there is no news, send a ping and an ack per probe and nothing else', () => {
    const world = new SwimWorld(5);
    world.runFor(10_000);
    world.packets.length = 0;
    world.runFor(10_000);
    expect(kinds(world.packets).filter((kind) => kind === 'ping')).toHaveLength(50);
    expect(kinds(world.packets).filter((kind) => kind === 'ack')).toHaveLength(50);
    expect(world.packets).toHaveLength(100);
  });

  it('probe everybody once a round, in an order that is drawn anew', () => {
    const world = new SwimWorld(5);
    world.runFor(40_500);
    const asked = world.packets.filter(({ kind, from }) => kind === 'ping' && from === 0);
    const rounds = Array.from({ length: 9 }, (_, i) =>
      asked.slice(4 * i, 4 * i + 4).map(({ to }) => to),
    );
    for (const round of rounds) expect([...round].sort()).toEqual([1, 2, 3, 4]);
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(1);
  });
});

describe('a member that crashes', () => {
  it('is suspected after a probe, dead after the shortest patience, and everybody knows', () => {
    const world = new SwimWorld(5);
    world.runFor(5_000);
    world.frozen.add(4);
    world.runFor(30_000);
    expect(world.heldAbout(4)).toEqual(['dead', 'dead', 'dead', 'dead']);
    const [first] = world.deaths();
    // Up to a round until it is probed, a second for the probe, four for three accusers.
    expect(first?.atMs).toBeGreaterThan(5_000 + 5_000);
    expect(first?.atMs).toBeLessThan(5_000 + 4_000 + 1_000 + 8_000);
    expect(world.deaths().every(({ member }) => member === 4)).toBe(true);
  });

  it('costs its accusers no health: their helpers say that they tried', () => {
    const world = new SwimWorld(5);
    world.runFor(5_000);
    world.frozen.add(4);
    world.runFor(8_000);
    expect(kinds(world.packets)).toContain('nack');
    expect(world.nodes.slice(0, 4).map(({ score }) => score)).toEqual([0, 0, 0, 0]);
  });

  it('comes back: the dead that speak are told, and object', () => {
    const world = new SwimWorld(5);
    world.runFor(5_000);
    world.frozen.add(4);
    world.runFor(30_000);
    world.frozen.delete(4);
    world.runFor(5_000);
    expect(world.heldAbout(4)).toEqual(['alive', 'alive', 'alive', 'alive']);
    expect(world.at(4).incarnation).toBeGreaterThan(1);
  });
});

describe('a broken link between two', () => {
  it('is bridged by helpers: nobody is suspected', () => {
    const world = new SwimWorld(5);
    world.loses = ({ from, to }) => (from === 0 && to === 1) || (from === 1 && to === 0);
    world.runFor(60_000);
    expect(world.verdicts.filter(({ status }) => status !== 'alive')).toEqual([]);
    expect(kinds(world.packets)).toContain('pingReq');
  });

  it('takes its ack late from a helper that has already said nack', () => {
    const world = new SwimWorld(3, { nackAfterMs: 100 });
    world.runFor(2_000);
    world.step(0, packetTo(0, 1, { kind: 'pingReq', seq: 77, target: 2 }));
    const ping = world.packets.at(-1) as SwimPacket;
    expect([ping.kind, ping.to]).toEqual(['ping', 2]);
    world.loses = ({ from, to }) => from === 2 && to === 0;
    world.runFor(150);
    const nack = { kind: 'nack', to: 1, seq: 77 };
    expect(world.packets).toContainEqual(expect.objectContaining(nack));
    world.step(0, packetTo(0, 2, { kind: 'ack', seq: ping.seq }));
    expect(world.packets.at(-1)).toMatchObject({ kind: 'ack', to: 1, seq: 77 });
  });
});

describe('a suspect', () => {
  it('is told by whoever probes it, and objects with a higher incarnation', () => {
    const world = new SwimWorld(3);
    world.runFor(2_000);
    world.step(0, packetTo(0, 1, { updates: [said('suspect', 2, 1, 1)] }));
    expect(world.at(0).statusOf(2)).toBe('suspect');
    world.packets.length = 0;
    world.loses = ({ kind }) => kind === 'gossip';
    world.runFor(2_500);
    const told = world.packets.find(
      ({ from, to, kind }) => from === 0 && to === 2 && kind === 'ping',
    );
    expect(told?.updates).toEqual([said('suspect', 2, 1, 1)]);
    expect(world.at(0).statusOf(2)).toBe('alive');
    expect(world.at(0).incarnationOf(2)).toBe(2);
    expect(world.at(2).score).toBeLessThanOrEqual(1);
  });

  it('objects once, however many accuse it', () => {
    const world = new SwimWorld(5);
    world.runFor(2_000);
    for (const from of [0, 1, 2, 3]) {
      world.step(4, packetTo(4, from, { updates: [said('suspect', 4, 1, from)] }));
    }
    expect(world.at(4).incarnation).toBe(2);
    expect(world.at(4).score).toBe(1);
  });

  it('under plain SWIM has a fixed time, whoever else accuses it', () => {
    const world = new SwimWorld(6, SWIM_VARIANTS.swim);
    world.runFor(2_000);
    world.frozen.add(5);
    world.step(0, packetTo(0, 1, { updates: [said('suspect', 5, 1, 1)] }));
    world.runFor(500);
    for (const from of [2, 3, 4]) {
      world.step(0, packetTo(0, from, { updates: [said('suspect', 5, 1, from)] }));
    }
    world.runFor(10_000);
    expect(world.deaths().find(({ observer }) => observer === 0)?.atMs).toBe(6_000);
  });
});

describe('a member that leaves', () => {
  it('is gone everywhere, and nobody probes or accuses it', () => {
    const world = new SwimWorld(5);
    world.runFor(2_000);
    world.step(4, { kind: 'leave' });
    world.runFor(2_000);
    expect(world.heldAbout(4)).toEqual(['left', 'left', 'left', 'left']);
    world.frozen.add(4);
    world.packets.length = 0;
    world.runFor(30_000);
    expect(world.packets.filter(({ to }) => to === 4)).toEqual([]);
    expect(world.deaths()).toEqual([]);
  });
});

describe('whoever missed all gossip', () => {
  it('learns it from a sync, and what it holds dead is only suspected by the other', () => {
    const world = new SwimWorld(4, { syncIntervalMs: 30_000, weighAccusers: false });
    world.runFor(2_000);
    world.loses = ({ kind }) => kind !== 'sync' && kind !== 'syncReply';
    world.step(0, packetTo(0, 9, { updates: [said('alive', 9, 3, 9), said('dead', 2, 1, 1)] }));
    world.step(0, packetTo(0, 0, { kind: 'sync', to: 0, from: 3, updates: [] }));
    world.runFor(1);
    expect(world.at(3).statusOf(9)).toBe('alive');
    expect(world.at(3).statusOf(2)).toBe('suspect');
  });
});

describe('a member that is no member any more', () => {
  const chance = { next: () => 0.5 };
  const start = () => new Swim({ self: 0, options: swimOptions('lan'), chance, nowMs: 0 });

  it('is pinged no more, and its number may stand for another', () => {
    const swim = start();
    swim.step({ kind: 'meet', member: 1 }, 0);
    swim.step({ kind: 'meet', member: 2 }, 0);
    swim.step({ kind: 'forget', member: 1 }, 0);
    expect(swim.statusOf(1)).toBeUndefined();
    const pinged = new Set<number>();
    for (let nowMs = 0; nowMs < 10_000; nowMs += 100)
      for (const each of swim.step({ kind: 'wake' }, nowMs)) {
        if (each.kind === 'verdict') continue;
        pinged.add(each.to);
        if (each.kind === 'ping')
          swim.step(
            { kind: 'ack', from: each.to, to: 0, seq: each.seq, target: each.to, updates: [] },
            nowMs,
          );
      }
    expect([...pinged]).toEqual([2]);
    swim.step({ kind: 'meet', member: 1 }, 10_000);
    expect(swim.statusOf(1)).toBe('alive');
  });

  it('takes its suspicion and the probe of it along', () => {
    const swim = start();
    swim.step({ kind: 'meet', member: 1 }, 0);
    for (let nowMs = 0; nowMs < 3_000; nowMs += 100) swim.step({ kind: 'wake' }, nowMs);
    expect(swim.statusOf(1)).toBe('suspect');
    swim.step({ kind: 'forget', member: 1 }, 3_000);
    for (let nowMs = 3_000; nowMs < 120_000; nowMs += 500) {
      const said = swim.step({ kind: 'wake' }, nowMs);
      expect(said.filter(({ kind }) => kind === 'verdict')).toEqual([]);
    }
  });

  it('is told that it is held dead when it is heard by other ways', () => {
    const swim = start();
    swim.step({ kind: 'meet', member: 1 }, 0);
    for (let nowMs = 0; nowMs < 120_000; nowMs += 100) swim.step({ kind: 'wake' }, nowMs);
    expect(swim.statusOf(1)).toBe('dead');
    const said = swim.step({ kind: 'contact', member: 1 }, 120_000);
    expect(said).toMatchObject([
      { kind: 'gossip', to: 1, updates: [{ status: 'dead', subject: 1 }] },
    ]);
  });
});
