import { finalize, map, Observable, Subject, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Cluster } from './cluster.js';
import { PuppetPeer, puppetNode, settled } from './puppet-ports.testing.js';

const K = 'ws://z:7000#00000000000000f1';

async function node() {
  const made = await puppetNode();
  const told = () =>
    made.ports.lines
      .filter(({ message }) => message.startsWith('a subscriber'))
      .map(({ level, message }) => `${level}: ${message}`);
  const joins = () => new PuppetPeer(K, made.cluster, made.transport).joins();
  return { ...made, told, joins };
}
const fails = (): never => {
  throw new RangeError('not today');
};

describe('a subscriber that throws', () => {
  it('harms neither the node nor another subscriber, and is told of', async () => {
    const { cluster, joins, told } = await node();
    const others: number[] = [];
    let calls = 0;
    cluster.state$.subscribe(() => {
      calls++;
      fails();
    });
    cluster.state$.subscribe(({ members }) => others.push(members.length));
    cluster.events$.subscribe(fails);
    joins();
    await settled();
    expect(cluster.state.members).toHaveLength(2);
    expect(others.at(-1)).toBe(2);
    // Its own stream goes on as well.
    expect(calls).toBe(others.length);
    expect(told().slice(0, 2)).toEqual([
      'error: a subscriber of state$ threw: not today; the stream goes on',
      'error: a subscriber of events$ threw: not today; the stream goes on',
    ]);
    expect(cluster.self.status).toBe('up');
  });

  it('is told of once, then at the tenth time and the hundredth', async () => {
    const { cluster, told } = await node();
    const subject = new Subject<number>();
    cluster.guarded('mine$', subject).subscribe(fails);
    for (let i = 0; i < 150; i++) subject.next(i);
    expect(told()).toEqual(
      Array(3).fill('error: a subscriber of mine$ threw: not today; the stream goes on'),
    );
  });

  it('is told of though others of its stream were before; of very many, some', async () => {
    const { cluster, told } = await node();
    const subject = new Subject<number>();
    const mine$ = cluster.guarded('mine$', subject);
    mine$.subscribe(fails);
    for (let i = 0; i < 20; i++) subject.next(i);
    mine$.subscribe(() => {
      throw new Error('nor today');
    });
    subject.next(0);
    expect(told().filter((line) => line.includes('nor today'))).toHaveLength(1);
    const many$ = cluster.guarded('many$', subject);
    for (let i = 0; i < 150; i++) many$.subscribe(fails);
    subject.next(0);
    expect(told().filter((line) => line.includes('many$'))).toHaveLength(11);
  });

  it('by way of a logger that throws itself', async () => {
    const { cluster, joins, ports } = await node();
    ports.logger.error = fails;
    ports.logger.info = async () => fails();
    cluster.state$.subscribe(fails);
    joins();
    await settled();
    expect(cluster.state.members).toHaveLength(2);
  });

  it.each([
    ['in an observer', { next: fails }],
    ['at the end of a stream', { complete: fails }],
  ])('%s', async (_, observer) => {
    const { cluster, told } = await node();
    cluster.state$.subscribe(observer);
    await cluster.stop();
    expect(told()).toContain('error: a subscriber of state$ threw: not today; the stream goes on');
    expect(await cluster.ended).toMatchObject({ reason: 'stopped' });
  });

  it('in an operator ends its own stream; whoever handles errors is given it', async () => {
    const { cluster, told, joins } = await node();
    const given: unknown[] = [];
    cluster.state$.pipe(map(fails)).subscribe({ error: (error: unknown) => given.push(error) });
    expect([given, told()]).toEqual([[new RangeError('not today')], []]);
    cluster.members$.pipe(map(fails), take(1)).subscribe();
    expect(told()).toEqual([
      'error: a subscriber of members$ threw: not today; the stream goes on',
    ]);
    joins();
    expect(cluster.state.members).toHaveLength(2);
  });

  it('later, in an async handler, ends no process', async () => {
    const { cluster, told } = await node();
    cluster.state$.subscribe(async () => {
      await settled();
      fails();
    });
    await settled();
    await settled();
    expect(told()).toHaveLength(1);
  });

  it.each([
    ['events$', (cluster: Cluster) => cluster.events$],
    ['state$', (cluster: Cluster) => cluster.state$],
    ['messages$', (cluster: Cluster) => cluster.messages$],
    ['degraded$', (cluster: Cluster) => cluster.health.degraded$],
    ['blockers$', (cluster: Cluster) => cluster.blockers$],
    ['members$', (cluster: Cluster) => cluster.members$],
    ['member$', (cluster: Cluster) => cluster.member$(K)],
  ])('when a stream of it is torn down (%s)', async (name, of) => {
    const { cluster, joins, told } = await node();
    joins();
    const stream: Observable<unknown> = of(cluster);
    stream.pipe(finalize(fails)).subscribe();
    stream.subscribe().add(fails);
    const others: string[] = [];
    stream.subscribe({ complete: () => others.push('complete') });
    await cluster.stop();
    expect(await cluster.ended).toMatchObject({ reason: 'stopped' });
    expect(others).toEqual(['complete']);
    expect(told().filter((line) => line.includes(`of ${name} threw`))).toHaveLength(2);
  });

  it('does not keep a stream going that was left', async () => {
    const { cluster } = await node();
    let count = 0;
    const endless = new Observable<number>((subscriber) => {
      while (!subscriber.closed) subscriber.next(count++);
    });
    cluster.guarded('endless$', endless).pipe(take(3)).subscribe();
    expect(count).toBe(3);
  });

  it('at any stream of a node', async () => {
    const { cluster, joins, told, transport, clock } = await node();
    joins();
    cluster.members$.subscribe((one) => one.subscribe(fails));
    cluster.member$(K).subscribe(fails);
    cluster.phi$(K).subscribe(fails);
    cluster.avoid$({ phi: 3 }).subscribe(fails);
    cluster.blockers$.subscribe(fails);
    cluster.messages$.subscribe(fails);
    transport.events?.message(K, ['tell', 1]);
    clock.advance(1_000);
    const streams = told().map((line) => /of (\S+) threw/.exec(line)?.[1]);
    expect(new Set(streams)).toEqual(
      new Set(['members$', 'member$', 'phi$', 'avoid$', 'blockers$', 'messages$']),
    );
    expect(cluster.self.status).toBe('up');
  });
});

describe('a subscriber that is slow', () => {
  it('is told of when it has kept the node from its work for pause.after', async () => {
    const { cluster, told, clock, joins } = await node();
    const seen: number[] = [];
    cluster.state$.subscribe(() => clock.advance(499));
    expect(told()).toEqual([]);
    cluster.events$.subscribe(({ type }) => {
      if (type === 'memberJoined') clock.advance(700);
    });
    cluster.state$.subscribe(({ members }) => seen.push(members.length));
    joins();
    expect(told()[0]).toBe(
      'warn: a subscriber of events$ took 700 ms, in which this node heard and answered nobody',
    );
    expect(seen.at(-1)).toBe(2);
  });
});
