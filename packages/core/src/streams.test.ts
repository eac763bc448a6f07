import type { NodeKey } from '@rollcall/convergence';
import { BehaviorSubject, filter, mergeMap, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HandClock } from './hand-clock.js';
import type { ClusterState, Member, MemberStatus } from './membership/member-view.js';
import { findMember, memberStream, memberStreams, ticks, type View } from './streams.js';

const A = 'ws://a:1#1';
const B = 'ws://b:1#1';

const member = (node: NodeKey, status: MemberStatus = 'up'): Member =>
  Object.freeze({
    node,
    address: node.slice(0, node.indexOf('#')),
    uid: node.slice(node.indexOf('#') + 1),
    roles: [],
    appVersion: '1',
    status,
    age: 1,
    reachability: 'reachable',
    observedBy: [],
  });
const state = (...members: readonly Member[]): ClusterState => ({
  self: A,
  members,
  convergence: true,
  digest: '',
  epoch: 1,
  clusterId: A,
});
const view: View = {
  of: (each) => ({ ...each, phi: 0.5, degraded: false }),
  mark: () => false,
};

/** What a subscriber was given, in words. */
function log() {
  const said: string[] = [];
  const note = (name: string) => ({
    next: (each: unknown) => said.push(`${name} ${(each as Member).status ?? String(each)}`),
    error: () => said.push(`${name} failed`),
    complete: () => said.push(`${name} done`),
  });
  return { said, note };
}

describe('members$', () => {
  it('keeps a member’s stream alive for who took it, although no more streams are wanted', () => {
    const states = new BehaviorSubject(state(member(A)));
    const { said, note } = log();
    memberStreams(states, view)
      .pipe(
        take(1),
        mergeMap((group) => group),
      )
      .subscribe(note(A));
    states.next(state(member(A, 'leaving')));
    states.next(state());
    expect(said).toEqual([`${A} up`, `${A} leaving`, `${A} done`]);
  });

  it('gives one stream for each member of today, then one for each that comes', () => {
    const [a, b] = [member(A), member(B, 'joining')];
    const states = new BehaviorSubject(state(a, b));
    const { said, note } = log();
    memberStreams(states, view).subscribe((group) => group.subscribe(note(group.key)));
    expect(said).toEqual([`${A} up`, `${B} joining`]);
    states.next(state(a, b, member('ws://c:1#1', 'joining')));
    expect(said.slice(-1)).toEqual(['ws://c:1#1 joining']);
  });

  it('tells a member what changed about it, and nothing of others', () => {
    const [a, b] = [member(A), member(B)];
    const states = new BehaviorSubject(state(a, b));
    const { said, note } = log();
    memberStreams(states, view).subscribe((group) => group.subscribe(note(group.key)));
    states.next(state(a, member(B, 'leaving')));
    states.next(state(a, b));
    expect(said).toEqual([`${A} up`, `${B} up`, `${B} leaving`, `${B} up`]);
  });

  it('completes the stream of a member that is removed; its next run is another stream', () => {
    const a = member(A);
    const states = new BehaviorSubject(state(a, member(B)));
    const { said, note } = log();
    memberStreams(states, view).subscribe((group) => group.subscribe(note(group.key)));
    states.next(state(a));
    states.next(state(a, member('ws://b:1#2')));
    expect(said).toEqual([`${A} up`, `${B} up`, `${B} done`, 'ws://b:1#2 up']);
  });

  it('completes, and all of its streams, when the node stops', () => {
    const states = new BehaviorSubject(state(member(A), member(B)));
    const { said, note } = log();
    const streams = memberStreams(states, view);
    streams.subscribe({ ...note('all'), next: (group) => group.subscribe(note(group.key)) });
    said.length = 0;
    states.complete();
    expect([...said].sort()).toEqual(['all done', `${A} done`, `${B} done`]);
  });

  it('gives each subscriber today’s answer first, however late it comes', () => {
    const states = new BehaviorSubject(state(member(A)));
    const streams = memberStreams(states, view);
    const { said, note } = log();
    streams.subscribe((group) => {
      group.subscribe();
      states
        .pipe(filter(({ epoch }) => epoch === 9))
        .subscribe(() => group.subscribe(note('late')));
    });
    states.next(state(member(A, 'leaving')));
    states.next({ ...state(member(A, 'leaving')), epoch: 9 });
    expect(said).toEqual(['late leaving']);
    streams.subscribe((group) => group.subscribe(note('new')));
    expect(said.at(-1)).toBe('new leaving');
  });

  it('asks for nothing more once nobody listens', () => {
    const states = new BehaviorSubject(state(member(A)));
    memberStreams(states, view).subscribe().unsubscribe();
    expect(states.observed).toBe(false);
  });
});

describe('member$', () => {
  it('gives today’s view at once, then each change, and completes with the member', () => {
    const states = new BehaviorSubject(state(member(A)));
    const { said, note } = log();
    memberStream(states, A, view).subscribe(note('a'));
    states.next(state(member(A, 'leaving'), member(B)));
    states.next(state(member(B)));
    states.next(state(member(A), member(B)));
    expect(said).toEqual(['a up', 'a leaving', 'a done']);
    expect(states.observed).toBe(false);
  });

  it('is empty for somebody unknown', () => {
    const states = new BehaviorSubject(state(member(A)));
    const { said, note } = log();
    memberStream(states, B, view).subscribe(note('b'));
    expect(said).toEqual(['b done']);
  });

  it('takes an address for the run that is there, and stays with that run', () => {
    const old = member('ws://b:1#1', 'down');
    const states = new BehaviorSubject(state(old, member('ws://b:1#2')));
    const { said, note } = log();
    memberStream(states, 'ws://b:1', view).subscribe(note('b'));
    states.next(state(old, member('ws://b:1#3')));
    expect(said).toEqual(['b up', 'b done']);
  });

  it('completes when the node stops', () => {
    const states = new BehaviorSubject(state(member(A)));
    const { said, note } = log();
    memberStream(states, A, view).subscribe(note('a'));
    states.complete();
    expect(said).toEqual(['a up', 'a done']);
  });
});

describe('finding a member', () => {
  const both = state(member('ws://b:1#1', 'down'), member('ws://b:1#2'));

  it('goes by unique address first, then by address, a live run before one that is down', () => {
    expect(findMember(both, 'ws://b:1#1')?.status).toBe('down');
    expect(findMember(both, 'ws://b:1')?.node).toBe('ws://b:1#2');
    expect(findMember(state(member('ws://b:1#1', 'down')), 'ws://b:1')?.node).toBe('ws://b:1#1');
    expect(findMember(both, 'ws://c:1')).toBeUndefined();
  });
});

describe('ticks', () => {
  it('come at once and then at each interval, while somebody listens', () => {
    const clock = new HandClock();
    let count = 0;
    const subscription = ticks(clock, 250).subscribe(() => {
      count++;
    });
    expect(count).toBe(1);
    clock.advance(1_000);
    expect(count).toBe(5);
    subscription.unsubscribe();
    clock.advance(1_000);
    expect(count).toBe(5);
    expect(clock.pending).toBe(0);
  });

  it.each([1, 3])('leave no timer behind when they end within tick %d', (wanted) => {
    const clock = new HandClock();
    ticks(clock, 250).pipe(take(wanted)).subscribe();
    clock.advance(250 * (wanted - 1));
    expect(clock.pending).toBe(0);
  });

  it('are each subscriber’s own', () => {
    const clock = new HandClock();
    const both = new Subject<string>();
    const seen: string[] = [];
    both.subscribe((name) => seen.push(name));
    const stream = ticks(clock, 100);
    stream.pipe(take(2)).subscribe(() => both.next('one'));
    clock.advance(50);
    stream.pipe(take(2)).subscribe(() => both.next('two'));
    clock.advance(100);
    expect(seen).toEqual(['one', 'two', 'one', 'two']);
  });
});
