/** Nodes with everything real but the machine: several in this process, on loopback. */
import { createServer } from 'node:net';
import { type Cluster, silentLogger } from '@rollcall/core';
import { afterEach, describe, expect, test } from 'vitest';
import { type JoinOptions, join } from './join.js';
import { startNode } from './start-node.js';

const running: Cluster[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((cluster) => cluster.stop()));
});

const kept = async (starting: Promise<Cluster>): Promise<Cluster> => {
  const cluster = await starting;
  running.push(cluster);
  return cluster;
};

async function freeAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return `ws://127.0.0.1:${port}`;
}

const options = (listen: string, ...seeds: string[]): JoinOptions => ({
  name: 'orders',
  listen,
  seeds: seeds.length === 0 ? [listen] : seeds,
  logger: silentLogger,
});

describe('join, for real', () => {
  test('with a logger that rejects loses lines, and nothing else', async () => {
    const fails = async () => {
      throw new Error('disk full');
    };
    const logger = { debug: fails, info: fails, warn: fails, error: fails };
    const cluster = await kept(join({ ...options(await freeAddress()), logger }));
    await cluster.leave();
    expect(await cluster.ended).toMatchObject({ reason: 'left' });
  });

  test('classes that both name survive, to oneself as well; an ask with another fails at once', async () => {
    class Money {
      readonly cents: bigint;
      constructor(cents: bigint) {
        this.cents = cents;
      }
      twice(): Money {
        return new Money(2n * this.cents);
      }
    }
    class Mine {}
    const first = await freeAddress();
    const one = await kept(join({ ...options(first), classes: { Money, Mine } }));
    const two = await kept(join({ ...options('ws://127.0.0.1:0', first), classes: { Money } }));
    for (const each of [one, two]) each.answer(({ body }) => (body as Money).twice());
    for (const each of [one, two]) {
      const answer = await one.ask(each.self.node, new Money(4n));
      expect(answer).toBeInstanceOf(Money);
      expect((answer as Money).cents).toBe(8n);
    }
    await expect(one.ask(two.self.node, new Mine())).rejects.toMatchObject({
      code: 'askFailed',
      data: { code: 'unreadable' },
    });
    await expect(two.tell(one.self.node, new Mine())).rejects.toThrow(
      'sent: a Mine: name its class in classes',
    );
    const bad = { ...options('ws://127.0.0.1:0', first), classes: { Money: 5 as never } };
    await expect(join(bad)).rejects.toMatchObject({
      code: 'badSetting',
      data: { setting: 'classes' },
    });
  });

  test('a node founds a cluster at any free port, which it alone may name as a seed', async () => {
    const anyPort = 'ws://127.0.0.1:0';
    const one = await kept(join(options(anyPort)));
    expect(one.self.address).toMatch(/^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const two = await kept(join(options(anyPort, one.self.address)));
    expect(two.state.clusterId).toBe(one.self.node);
  });

  test('two nodes are one cluster, and one that leaves is gone', async () => {
    const first = await freeAddress();
    const one = await kept(join(options(first)));
    const two = await kept(join({ ...options('ws://127.0.0.1:0', first), roles: ['worker'] }));
    await expect.poll(() => one.state.members.map(({ status }) => status)).toEqual(['up', 'up']);
    expect(one.state.members.find(({ node }) => node === two.self.node)?.roles).toEqual(['worker']);
    expect(two.self.address).toMatch(/^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
    await two.leave();
    expect(await two.ended).toMatchObject({ reason: 'left' });
    await expect.poll(() => one.state.members.map(({ address }) => address)).toEqual([first]);
  });

  test('a node of another name is refused, by whom and why', async () => {
    const first = await freeAddress();
    await kept(join(options(first)));
    const stranger = join({ ...options('ws://127.0.0.1:0', first), name: 'billing' });
    await expect(stranger).rejects.toMatchObject({
      code: 'joinRefused',
      message: expect.stringContaining(first),
    });
  });

  test('two with one secret are one cluster, one without it stays outside', async () => {
    const first = await freeAddress();
    const secret = 'open sesame, and a few more letters';
    const one = await kept(join({ ...options(first), secret }));
    await kept(join({ ...options('ws://127.0.0.1:0', first), secret }));
    const outside = join(options('ws://127.0.0.1:0', first));
    await expect(outside).rejects.toMatchObject({ code: 'joinRefused' });
    expect(one.state.members).toHaveLength(2);
  });

  test('an address in use is named, and nothing is left running', async () => {
    const first = await freeAddress();
    await kept(join(options(first)));
    await expect(join(options(first))).rejects.toMatchObject({
      code: 'cannotListen',
      message: expect.stringContaining(first),
    });
  });

  test('a wait that is given up leaves the port free', async () => {
    const listen = await freeAddress();
    const nobody = await freeAddress();
    const signal = AbortSignal.timeout(200);
    await expect(join({ ...options(listen, nobody), signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    await kept(join(options(listen)));
  });
});

test('startNode gives a node that is not a member yet', async () => {
  const nobody = await freeAddress();
  const cluster = await kept(startNode(options('ws://127.0.0.1:0', nobody)));
  expect(cluster.self.status).toBe('joining');
  expect(cluster.state.members).toEqual([]);
});
