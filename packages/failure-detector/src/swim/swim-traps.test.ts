/**
 * Mistakes that are known from other systems, one story each: what they do, and what is done here.
 */
import { describe, expect, it } from 'vitest';
import { confirmationsNeeded, leastPatienceMs, Suspicion } from './suspicion.js';
import { SWIM_VARIANTS, swimOptions } from './swim-options.js';
import { packetTo, SwimWorld, said } from './swim-world.testing.js';

const lan = swimOptions('lan');

describe('the score rises one line too late', () => {
  it('a probe that costs health scales the very suspicion it leads to', () => {
    const world = new SwimWorld(5, SWIM_VARIANTS.health);
    world.runFor(2_000);
    // Node 0 hears nobody: its first probe has three silent helpers, a score of 3.
    world.loses = ({ to }) => to === 0;
    const before = world.verdicts.length;
    world.runFor(2_100);
    const own = world.verdicts.slice(before).filter(({ observer }) => observer === 0);
    expect(own[0]).toMatchObject({ status: 'suspect' });
    expect(world.at(0).score).toBeGreaterThanOrEqual(3);
    world.runFor(24_000 * 3);
    expect(world.deaths().filter(({ observer }) => observer === 0)).toEqual([]);
  });
});

describe('accusers that were cut off together vouch for each other', () => {
  const accuse = (unwell: boolean, weighAccusers: boolean) => {
    const world = new SwimWorld(8, { ...SWIM_VARIANTS.lifeguard, weighAccusers });
    world.runFor(2_000);
    world.loses = () => true;
    const startMs = world.nowMs;
    for (const from of [1, 2, 3]) {
      world.step(0, packetTo(0, from, { updates: [said('suspect', 7, 1, from, unwell)] }));
    }
    world.runFor(23_000);
    return (
      (world.deaths().find(({ observer, member }) => observer === 0 && member === 7)?.atMs ?? 0) -
      startMs
    );
  };

  it('whoever is unwell confirms nothing', () => {
    expect(accuse(true, false)).toBe(4_000);
    expect(accuse(false, true)).toBe(4_000);
    expect(accuse(true, true)).toBeLessThan(0);
  });

  it('grace: who would be convicted on the spot has two seconds to object, once', () => {
    const suspicion = new Suspicion(lan, 8, 1, 0);
    suspicion.confirm(2);
    suspicion.confirm(3);
    suspicion.grant(2_000, 0, 20_000);
    expect(suspicion.deadlineMs(0)).toBe(22_000);
    suspicion.grant(2_000, 0, 22_000);
    expect(suspicion.deadlineMs(0)).toBe(22_000);
  });
});

describe('three members convict on one word', () => {
  it('as many confirmations as there are others who could give them', () => {
    expect([2, 3, 4, 5, 100].map((n) => confirmationsNeeded(lan, n))).toEqual([0, 1, 2, 2, 2]);
    const suspicion = new Suspicion(lan, 3, 1, 0);
    expect(suspicion.deadlineMs(0)).toBe(24_000);
    expect(suspicion.confirm(2)).toBe(true);
    expect(suspicion.deadlineMs(0)).toBe(4_000);
  });
});

describe('a stored incarnation goes back, and the dead rise from old news', () => {
  it('news that is overtaken changes nothing, in whatever order it comes', () => {
    const world = new SwimWorld(4);
    const tell = (...updates: ReturnType<typeof said>[]) =>
      world.step(0, packetTo(0, 1, { updates }));
    tell(said('dead', 3, 5, 1));
    tell(said('dead', 3, 7, 2));
    tell(said('alive', 3, 6, 3), said('alive', 3, 7, 3), said('suspect', 3, 6, 2));
    expect(world.at(0).statusOf(3)).toBe('dead');
    expect(world.at(0).incarnationOf(3)).toBe(7);
    tell(said('alive', 3, 8, 3));
    expect(world.at(0).statusOf(3)).toBe('alive');
  });

  it('a suspicion of a higher incarnation begins anew: the old one was refuted', () => {
    const world = new SwimWorld(6);
    world.runFor(2_000);
    world.loses = () => true;
    const startMs = world.nowMs;
    for (const from of [1, 2]) {
      world.step(0, packetTo(0, from, { updates: [said('suspect', 5, 1, from)] }));
    }
    world.runFor(6_000);
    world.step(0, packetTo(0, 3, { updates: [said('suspect', 5, 2, 3)] }));
    world.runFor(16_000);
    expect(world.at(0).statusOf(5)).toBe('suspect');
    expect(world.nowMs - startMs).toBe(22_000);
  });
});

describe('a member that starts again is dead for ever', () => {
  it('is told what is held about it, and rises above it', () => {
    const world = new SwimWorld(4, { gossipToDeadMs: 0 });
    world.runFor(2_000);
    for (const self of [0, 1, 2]) {
      world.step(self, packetTo(self, 9, { updates: [said('dead', 3, 40, 9)] }));
    }
    world.runFor(5_000);
    expect(world.heldAbout(3)).toEqual(['alive', 'alive', 'alive']);
    expect(world.at(3).incarnation).toBeGreaterThan(40);
  });
});

describe('nobody calls those beyond a split once they are forgotten', () => {
  it('they are called now and then, and the two sides find each other', () => {
    const world = new SwimWorld(6, {
      recallDeadMs: 10_000,
      forgetDeadMs: 5_000,
      gossipToDeadMs: 5_000,
    });
    world.runFor(2_000);
    world.loses = ({ from, to }) => from < 3 !== to < 3;
    world.runFor(180_000);
    expect(world.at(0).statusOf(5)).toBe('dead');
    world.loses = () => false;
    world.runFor(60_000);
    for (let member = 0; member < 6; member++) {
      expect(new Set(world.heldAbout(member))).toEqual(new Set(['alive']));
    }
  });
});

describe('suspicion at the direct timeout', () => {
  it('helpers have had their time before anybody is suspected', () => {
    const world = new SwimWorld(5);
    world.runFor(2_000);
    world.frozen.add(4);
    world.runFor(12_000);
    const first = world.verdicts.find(({ status }) => status === 'suspect');
    const { observer } = first as { observer: number };
    const asked = world.packets.filter(({ kind, from }) => kind === 'pingReq' && from === observer);
    expect(asked.length).toBeGreaterThanOrEqual(3);
    const ping = world.packets.findIndex(
      ({ kind, from, to }) => kind === 'ping' && from === observer && to === 4,
    );
    expect(world.packets.indexOf(asked[0] as (typeof asked)[0])).toBeGreaterThan(ping);
  });
});

describe('a helper that cannot be reached counts against the target', () => {
  it('a silent helper costs the health of who asked, and adds no accuser', () => {
    const world = new SwimWorld(6, SWIM_VARIANTS.lifeguard);
    world.runFor(2_000);
    // 5 is dead; the helpers of node 0 are alive, and their words do not get through to it.
    world.frozen.add(5);
    world.loses = ({ to, kind }) => to === 0 && kind === 'nack';
    const highest = [0, 0];
    for (let i = 0; i < 100; i++) {
      world.runFor(100);
      for (const self of [0, 1]) {
        highest[self] = Math.max(highest[self] as number, world.at(self).score);
      }
    }
    expect(highest[0]).toBeGreaterThan(1);
    expect(highest[1]).toBe(0);
  });
});

describe('a storm of rebroadcasts', () => {
  it('what changes nothing is not passed on', () => {
    const world = new SwimWorld(4);
    world.runFor(5_000);
    expect(world.at(0).waiting).toBe(0);
    const news = () => [said('suspect', 3, 1, 1), said('alive', 2, 1, 2), said('dead', 2, 0, 1)];
    world.step(0, packetTo(0, 1, { updates: news() }));
    expect(world.at(0).waiting).toBe(1);
    for (let i = 0; i < 100; i++) world.step(0, packetTo(0, 1, { updates: news() }));
    expect(world.at(0).waiting).toBe(1);
    world.packets.length = 0;
    world.frozen.add(3);
    world.loses = ({ from, kind }) => from !== 0 || kind !== 'gossip';
    world.runFor(1_500);
    const carried = world.packets.filter(
      ({ from, updates }) =>
        from === 0 && updates.some(({ subject, from: by }) => subject === 3 && by === 1),
    );
    expect(carried.length).toBeLessThanOrEqual(5);
  });
});

describe('the dead crowd out the living', () => {
  it('after a while they are in no sync, and their incarnation still counts', () => {
    const world = new SwimWorld(4, { forgetDeadMs: 5_000, answerDead: false });
    world.runFor(2_000);
    world.frozen.add(3);
    world.step(0, packetTo(0, 1, { updates: [said('dead', 3, 6, 1)] }));
    world.runFor(15_000);
    world.step(0, packetTo(0, 1, { kind: 'sync', from: 1 }));
    const reply = world.packets.findLast(({ kind }) => kind === 'syncReply');
    expect(reply?.updates.map(({ subject }) => subject).sort()).toEqual([0, 1, 2]);
    world.step(0, packetTo(0, 3, { updates: [said('alive', 3, 6, 3)] }));
    expect(world.at(0).statusOf(3)).toBe('dead');
    world.step(0, packetTo(0, 3, { updates: [said('alive', 3, 7, 3)] }));
    expect(world.at(0).statusOf(3)).toBe('alive');
  });
});

describe('a process that was stopped blames others when it wakes', () => {
  const wakeAfter = (pauseGuardMs: number) => {
    const world = new SwimWorld(4, { ...SWIM_VARIANTS.swim, pauseGuardMs });
    world.runFor(2_000);
    world.step(0, packetTo(0, 1, { updates: [said('suspect', 3, 1, 1)] }));
    world.loses = ({ from, to }) => from === 0 || to === 0;
    world.frozen.add(0);
    world.runFor(20_000);
    world.frozen.delete(0);
    const before = world.verdicts.length;
    world.loses = () => false;
    world.step(0, { kind: 'wake' });
    world.runFor(6_000);
    return world.verdicts
      .slice(before)
      .filter(({ observer, status }) => observer === 0 && status === 'dead');
  };

  it('the probe under way is forgotten, and suspects get the time back', () => {
    expect(wakeAfter(0).map(({ member }) => member)).toEqual([3]);
    expect(wakeAfter(500)).toEqual([]);
  });
});

describe('patience', () => {
  it.each([
    [1, 4_000],
    [10, 4_000],
    [100, 8_000],
    [128, 8_428],
    [1_000, 12_000],
    [10_000, 16_000],
  ])('of %d members is at least %d ms, and six times that at most', (members, ms) => {
    expect(leastPatienceMs(lan, members)).toBe(ms);
    expect(new Suspicion(lan, members, 0, 0).deadlineMs(0)).toBe(members === 1 ? ms : 6 * ms);
  });
});

describe('a node that has just come back convicts those who are about to object', () => {
  it('better health moves no deadline forward', () => {
    const world = new SwimWorld(8, SWIM_VARIANTS.health);
    world.runFor(2_000);
    world.loses = ({ to, from }) => to === 0 || from === 0;
    world.runFor(4_000);
    const verdict = world.verdicts.find(
      ({ observer, status }) => observer === 0 && status === 'suspect',
    );
    const { member, atMs } = verdict as { member: number; atMs: number };
    world.runFor(atMs + 30_000 - world.nowMs);
    expect(world.at(0).score).toBe(7);
    for (const accuser of [1, 2, 3, 4].filter((id) => id !== member)) {
      world.step(0, packetTo(0, accuser, { updates: [said('suspect', member, 1, accuser)] }));
    }
    // Four seconds × 8 are not over. An answer comes, and four seconds × 7 would be.
    const ping = world.packets.findLast(({ kind, from }) => kind === 'ping' && from === 0);
    const { seq, to } = ping as { seq: number; to: number };
    world.step(0, packetTo(0, to, { kind: 'ack', seq }));
    expect(world.at(0).score).toBe(6);
    expect(world.at(0).statusOf(member)).toBe('suspect');
    world.runFor(2_100);
    expect(world.at(0).statusOf(member)).toBe('dead');
  });
});
