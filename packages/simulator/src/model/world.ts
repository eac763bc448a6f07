/**
 * What a run is about, in one place: the plan, the rules, who plays, and the values seen so far.
 */
import { emptyRow, type Member, type Rules, replicaOf, Seen, State } from '@rollcall/convergence';
import { startingEnv } from './budget.js';
import { Cast, keyOf, namesIn } from './cast.js';
import type { Complaint } from './complaint.js';
import { type Local, OFF } from './local.js';
import { LocalTable } from './local-table.js';
import { type Plan, rulesOf } from './plan.js';
import type { RulesUnderTest } from './rules-under-test.js';
import { StateTable } from './state-table.js';

export class World {
  readonly plan: Plan;
  readonly under: RulesUnderTest;
  readonly rules: Rules;
  readonly cast: Cast;
  readonly states = new StateTable();
  readonly tables: readonly LocalTable[];
  /** Every two states that somebody merged, by their numbers; kept for the merge laws (I3). */
  readonly merged = new Set<string>();

  /** The one invariant that is asked for, or null for all: a variant may break several. */
  readonly wanted: string | null;

  constructor(plan: Plan, under: RulesUnderTest, wanted: string | null) {
    this.plan = plan;
    this.under = under;
    this.wanted = wanted;
    this.rules = rulesOf(plan);
    this.cast = new Cast(plan);
    this.tables = this.cast.keys.map((_, self) => new LocalTable(this.cast, self, this.states));
  }

  table(process: number): LocalTable {
    return this.tables[process] as LocalTable;
  }

  asksFor({ rule }: Complaint): boolean {
    return this.wanted === null || this.wanted === rule;
  }

  noteMerge(a: State, b: State): void {
    if (this.plan.laws) this.merged.add(`${this.states.idOf(a)} ${this.states.idOf(b)}`);
  }

  /** The first position: the word of the adversary, one number a process, an empty pool. */
  start(): Int32Array {
    const { cast, plan } = this;
    const position = new Int32Array(1 + cast.size + plan.pool).fill(-1);
    position[0] = startingEnv(plan);
    const up = namesIn(plan.up).map(keyOf);
    const found = namesIn(plan.found).map(keyOf);
    const whole = up.length > 0 ? convergedState(up) : null;
    cast.keys.forEach((key, index) => {
      let local: Local = OFF;
      if (whole?.has(key)) {
        const replica = { ...replicaOf(key, whole), seen: Seen.all(whole) };
        local = { ...OFF, stage: 'member', replica };
      } else if (found.includes(key)) {
        const replica = replicaOf(key, State.found({ key, roles: [], appVersion: '1' }));
        local = { ...OFF, stage: 'member', replica };
      }
      position[1 + index] = this.table(index).idOf(local);
    });
    return position;
  }
}

/** All Up and committed, with the numbers 1, 2, … in key order. */
function convergedState(keys: readonly string[]): State {
  const members = keys.map(
    (key, index): Member => ({
      key,
      status: 'Up',
      upNumber: index + 1,
      row: emptyRow,
      roles: [],
      appVersion: '1',
    }),
  );
  return State.from({ clusterId: keys[0] ?? '', epoch: keys.length + 1, members, removed: [] });
}
