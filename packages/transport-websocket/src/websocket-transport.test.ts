/** Two and more live transports on loopback: links come, carry, go and come back. */
import { ClusterError } from '@rollcall/core';
import { afterEach, describe, expect, test } from 'vitest';
import { linked, TestNode, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
afterEach(() => nodes.close());

describe('a link', () => {
  test('carries frames both ways', async () => {
    const [a, b] = await nodes.pair();
    a.send(b, 'to b');
    b.send(a, 'to a');
    await until('both frames', () => a.frames.length === 1 && b.frames.length === 1);
    expect([a.texts(b), b.texts(a)]).toEqual([['to a'], ['to b']]);
    expect(a.ups.map(({ peer, dialled }) => [peer.self, dialled])).toEqual([[b.key, b.address]]);
    expect(b.ups.map(({ peer, dialled }) => [peer.self, dialled])).toEqual([[a.key, undefined]]);
    expect(Object.getPrototypeOf(a.frames[0]?.bytes)).toBe(Uint8Array.prototype);
  });
});
