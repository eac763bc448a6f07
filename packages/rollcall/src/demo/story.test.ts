/** The story, told by a crowd that does what the test says, in no time. */
import { readSettings } from '@rollcall/core';
import { map, timer } from 'rxjs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogFact, NodeRun } from './node-process.js';
import type { Place } from './place.js';
import { createScreen } from './screen.js';
import type { Sight } from './sight.js';
import { answer, link, memberAnswer, place } from './sight.testing.js';
import { Story } from './story.js';

interface Run extends NodeRun {
  readonly uid: string;
}

/** How the cluster misbehaves: each field names what goes wrong. */
interface Fault {
  readonly staysReachable?: boolean;
  readonly staysMember?: boolean;
  readonly comesBackUnder?: string;
  readonly doesNotListen?: boolean;
  readonly isAccusedAsItLeaves?: boolean;
  readonly leavesWith?: number;
}

class FakeCrowd {
  readonly places = [1, 2, 3, 4, 5].map(place);
  readonly #fault: Fault;
  readonly #runs = new Map<Place, Run>();
  #killedAtMs: number | undefined;

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  describe = (of: Place): string => String(this.#runs.get(of)?.ended ?? 'pid');

  at(of: Place): Run {
    return this.#runs.get(of) as Run;
  }

  start(of: Place): void {
    const fault = this.#fault;
    const again = this.#runs.has(of);
    let ended: number | string | undefined = fault.doesNotListen === true ? 1 : undefined;
    let left: (how: number) => void = () => undefined;
    this.#runs.set(of, {
      uid: `uid${of.number}${again ? (fault.comesBackUnder ?? '-new') : ''}`,
      pid: 1,
      logFile: 'log',
      get ended() {
        return ended;
      },
      exited: new Promise((resolve) => {
        left = resolve;
      }),
      signal: (signal) => {
        if (signal === 'SIGKILL') this.#killedAtMs = Date.now();
        ended = signal === 'SIGKILL' ? signal : (fault.leavesWith ?? 0);
        left(fault.leavesWith ?? 0);
      },
      log: (): readonly LogFact[] =>
        fault.isAccusedAsItLeaves === true ? [{ event: 'memberUnreachable', uid: 'uid4' }] : [],
      tail: () => [],
    });
  }

  look(): Sight {
    const alive = this.places.filter(
      (each) => this.#runs.get(each)?.ended === undefined && this.#runs.has(each),
    );
    const sinceMs = this.#killedAtMs === undefined ? undefined : Date.now() - this.#killedAtMs;
    const members = alive.map((each) => memberAnswer(each.number, { nodeUid: this.at(each).uid }));
    const victim = this.places[2] as Place;
    const isGone = sinceMs !== undefined && (sinceMs > 9_000 || alive.includes(victim));
    if (sinceMs !== undefined && (!isGone || this.#fault.staysMember === true)) {
      const isOut = sinceMs > 4_000 && this.#fault.staysReachable !== true;
      members.push(memberAnswer(3, { reachability: isOut ? 'unreachable' : 'reachable' }));
    }
    const answers = alive.map((each) =>
      answer(each.number, members, { selfUid: this.at(each).uid }),
    );
    const links = alive.map((each) => link(each.number, 3, 0));
    return {
      atMs: Date.now(),
      answers: new Map(answers.map((each) => [each.selfNode, each])),
      links,
      threshold: 8,
    };
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What was said, and how it ended: the count of late steps or the failure. */
async function tell(fault: Fault = {}, boundsFactor = 1) {
  const crowd = new FakeCrowd(fault);
  let said = '';
  const screen = createScreen({
    write: (text) => {
      said += text;
    },
  });
  const story = new Story({
    crowd,
    sights: timer(0, 100).pipe(map(() => crowd.look())),
    screen,
    settings: readSettings({ downing: { stableAfter: '5s' } }),
    boundsFactor,
    nowMs: Date.now,
  });
  const end = story.tell().catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(600_000);
  return { said, end: await end };
}

describe('the story', () => {
  test('of a cluster that does well', async () => {
    const { said, end } = await tell();
    expect(end).toBe(0);
    expect(said.match(/^\[\d\/6\].*$/gm)).toHaveLength(6);
    expect(said).toContain(
      'all Up everywhere after 0.0 s (bound 3.0 s: after the last one listens)',
    );
    expect(said).toMatch(/unreachable on all 4 others after 4\.\d s \(bound 5\.5 s/);
    expect(said).toMatch(/removed everywhere after \d\.\d s \(bound 7\.0 s/);
    expect(said).toContain('never unreachable to anybody, exit code 0');
  });

  test('says beside the bound what a step may take here', async () => {
    const { said } = await tell({}, 4);
    expect(said).toContain(
      'all Up everywhere after 0.0 s (bound 3.0 s, here within 12.0 s: after the last one listens)',
    );
  });

  test.each<[string, Fault, string]>([
    ['that is not started', { doesNotListen: true }, 'not listening: ws://127.0.0.1:7351'],
    ['that convicts nobody', { staysReachable: true }, 'not seen: unreachable on all 4 others'],
    ['that removes nobody', { staysMember: true }, 'not seen: removed everywhere'],
    [
      'where the old run comes back',
      { comesBackUnder: '' },
      'not seen: Up everywhere under a new uid',
    ],
    ['that accuses who leaves', { isAccusedAsItLeaves: true }, 'unreachable as it left'],
    ['where leaving fails', { leavesWith: 3 }, 'ended with 3, not with exit code 0'],
  ])('of one %s fails at that step', async (_, fault, message) => {
    const { end } = await tell(fault);
    expect(end).toContain(message);
  });
});
