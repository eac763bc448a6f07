/**
 * The story of a cluster: five processes find each other, one dies and is removed, comes back, and
 * another leaves. Each step is over when every node sees it, and says how long that took.
 */
import type { Settings } from '@rollcall/core';
import { filter, firstValueFrom, type Observable, take, takeUntil, timer } from 'rxjs';
import { board } from './board.js';
import { type Bound, type Bounds, boundsOf, seconds, WARM_HEARTBEATS } from './bounds.js';
import type { Crowd } from './crowd.js';
import type { Place } from './place.js';
import type { Screen } from './screen.js';
import { allAnswer, areOneCluster, type Sight, uidAt, views } from './sight.js';

/** A step that was not seen in time, or not as it should be. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  /** Whose logs say more. */
  readonly places: readonly Place[];

  constructor(message: string, places: readonly Place[]) {
    super(message);
    this.places = places;
  }
}

export interface Stage {
  readonly crowd: Pick<Crowd, 'places' | 'start' | 'at' | 'describe'>;
  readonly sights: Observable<Sight>;
  readonly screen: Screen;
  readonly settings: Settings;
  /** A step may take its bound times this; the plain bound is told beside it. */
  readonly boundsFactor: number;
  readonly nowMs: () => number;
}

/** How long a process may take to be there at all: not the cluster's doing. */
const START_MS = 20_000;

export class Story {
  readonly #stage: Stage;
  readonly #bounds: Bounds;
  readonly #steps = 6;
  #step = 0;
  #lateSteps = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#bounds = boundsOf(stage.settings);
  }

  /** Tells all of it, or rejects with `StepFailed`. Resolves with how many steps were over their plain bound. */
  async tell(): Promise<number> {
    const { places } = this.#stage.crowd;
    await this.#form(places);
    const victim = places[2] as Place;
    const others = places.filter((place) => place !== victim);
    const old = await this.#die(victim, others);
    await this.#isRemoved(old, victim, others);
    await this.#comeBack(old, victim, places);
    const leaver = places[3] as Place;
    const rest = places.filter((place) => place !== leaver);
    await this.#leave(leaver, rest);
    return this.#lateSteps;
  }

  async #form(places: readonly Place[]): Promise<void> {
    this.#begin(`${places.length} processes start, and find each other by the same list of seeds`);
    for (const place of places) this.#stage.crowd.start(place);
    const sinceMs = await this.#listening(places);
    await this.#see(this.#bounds.form, sinceMs, places, 'all Up everywhere', (sight) =>
      areOneCluster(sight, places),
    );
  }

  /** The uid of the one that dies. */
  async #die(victim: Place, others: readonly Place[]): Promise<string> {
    const uid = await this.#warm(victim, others);
    const { pid } = this.#stage.crowd.at(victim);
    this.#begin(`SIGKILL for ${victim.address} (pid ${pid}): it falls silent`);
    const sinceMs = this.#signal(victim, 'SIGKILL');
    await this.#see(
      this.#bounds.unreachable,
      sinceMs,
      others,
      `unreachable on all ${others.length} others`,
      (sight) =>
        allAnswer(sight, others) &&
        views(sight, others, uid).every((view) => view?.reachability === 'unreachable'),
    );
    return uid;
  }

  /** Until then a detector allows for more than it will, and its bound would say nothing. */
  async #warm(victim: Place, others: readonly Place[]): Promise<string> {
    const { heartbeat } = this.#stage.settings;
    const heard = `${WARM_HEARTBEATS} heartbeats of ${victim.address} on every link`;
    this.#stage.screen.say(`      (waiting for ${heard}, so that the detectors know its rhythm)`);
    const isWarm = (sight: Sight): boolean => {
      const uid = uidAt(sight, victim);
      const observed = sight.links.filter(({ subjectUid }) => subjectUid === uid);
      return observed.length > 0 && observed.every(({ samples }) => samples > WARM_HEARTBEATS + 1);
    };
    const limitMs = heartbeat.interval * WARM_HEARTBEATS * 3 + START_MS;
    const sight = await this.#until(isWarm, limitMs);
    const uid = sight === undefined ? undefined : uidAt(sight, victim);
    if (uid === undefined) throw new StepFailed(`not seen: ${heard}`, [victim, ...others]);
    return uid;
  }

  async #isRemoved(uid: string, victim: Place, others: readonly Place[]): Promise<void> {
    this.#begin(`the ${others.length} others, a majority, agree to remove ${victim.address}`);
    const sinceMs = this.#stage.nowMs();
    await this.#see(
      this.#bounds.removed,
      sinceMs,
      others,
      'removed everywhere',
      (sight) => areOneCluster(sight, others) && isGone(sight, others, uid),
    );
  }

  async #comeBack(old: string, victim: Place, places: readonly Place[]): Promise<void> {
    this.#begin(`a new process starts at ${victim.address}`);
    this.#stage.crowd.start(victim);
    const sinceMs = await this.#listening([victim]);
    await this.#see(
      this.#bounds.back,
      sinceMs,
      [victim, ...places.filter((place) => place !== victim)],
      'Up everywhere under a new uid',
      (sight) => areOneCluster(sight, places) && isGone(sight, places, old),
    );
  }

  async #leave(leaver: Place, rest: readonly Place[]): Promise<void> {
    const process = this.#stage.crowd.at(leaver);
    const sight = await this.#until((each) => uidAt(each, leaver) !== undefined, START_MS);
    const uid = sight === undefined ? undefined : uidAt(sight, leaver);
    this.#begin(`SIGTERM for ${leaver.address} (pid ${process.pid}): it leaves`);
    const sinceMs = this.#signal(leaver, 'SIGTERM');
    await this.#see(
      this.#bounds.left,
      sinceMs,
      [leaver, ...rest],
      'gone everywhere',
      (each) => areOneCluster(each, rest) && isGone(each, rest, uid),
    );
    this.#begin('it left in peace');
    for (const witness of rest) {
      const isAccusation = ({ event, uid: of }: { event?: string; uid?: string }) =>
        event === 'memberUnreachable' && of === uid;
      if (!this.#stage.crowd.at(witness).log().some(isAccusation)) continue;
      throw new StepFailed(`${witness.address} saw ${leaver.address} unreachable as it left`, [
        witness,
        leaver,
      ]);
    }
    const exit = await this.#ended(leaver);
    if (exit !== 0)
      throw new StepFailed(`${leaver.address} ended with ${exit}, not with exit code 0`, [leaver]);
    this.#say('never unreachable to anybody, exit code 0');
  }

  /** When the last of them was first seen to listen. */
  async #listening(places: readonly Place[]): Promise<number> {
    const sight = await this.#until(
      (each) => allAnswer(each, places) || places.some((place) => this.#hasEnded(place)),
      START_MS * this.#stage.boundsFactor,
    );
    if (sight !== undefined && allAnswer(sight, places)) return sight.atMs;
    const missing = places.filter((place) => this.#hasEnded(place) || sight === undefined);
    const names = missing.map((place) => `${place.address} (${this.#stage.crowd.describe(place)})`);
    throw new StepFailed(`not listening: ${names.join(', ')}`, missing);
  }

  async #see(
    bound: Bound,
    sinceMs: number,
    concerned: readonly Place[],
    what: string,
    holds: (sight: Sight) => boolean,
  ): Promise<void> {
    const { boundsFactor, nowMs, crowd, screen } = this.#stage;
    const limitMs = bound.ms * boundsFactor;
    const sight = await this.#until(holds, sinceMs + limitMs - nowMs());
    const here = boundsFactor === 1 ? '' : `, here within ${seconds(limitMs)}`;
    const told = `bound ${seconds(bound.ms)}${here}: ${bound.because}`;
    if (sight === undefined) throw new StepFailed(`not seen: ${what} (${told})`, concerned);
    const tookMs = sight.atMs - sinceMs;
    const isLate = tookMs > bound.ms;
    if (isLate) this.#lateSteps += 1;
    this.#say(`${what} after ${seconds(tookMs)}${isLate ? ', LATE' : ''} (${told})`);
    if (!screen.isTerminal)
      screen.say(indent(board(sight, crowd.places, crowd.places.map(crowd.describe))));
  }

  #until(holds: (sight: Sight) => boolean, withinMs: number): Promise<Sight | undefined> {
    const seen = this.#stage.sights.pipe(
      takeUntil(timer(Math.max(0, withinMs))),
      filter(holds),
      take(1),
    );
    return firstValueFrom(seen, { defaultValue: undefined });
  }

  #signal(place: Place, signal: NodeJS.Signals): number {
    this.#stage.crowd.at(place).signal(signal);
    return this.#stage.nowMs();
  }

  async #ended(place: Place): Promise<number | string> {
    const { exited } = this.#stage.crowd.at(place);
    const limit = firstValueFrom(timer(this.#stage.settings.leave.linger + START_MS));
    return Promise.race([exited, limit.then(() => 'nothing yet')]);
  }

  #hasEnded = (place: Place): boolean => this.#stage.crowd.at(place).ended !== undefined;

  #begin(title: string): void {
    this.#step += 1;
    this.#stage.screen.say(`\n[${this.#step}/${this.#steps}] ${title}`);
  }

  #say = (text: string): void => this.#stage.screen.say(`      ${text}`);
}

const isGone = (sight: Sight, observers: readonly Place[], uid: string | undefined): boolean =>
  views(sight, observers, uid).every((view) => view === undefined);

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
