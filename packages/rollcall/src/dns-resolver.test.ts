import { describe, expect, test } from 'vitest';
import { dnsResolver } from './dns-resolver.js';

const answering = (...addresses: string[]) =>
  dnsResolver(async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );

describe('a seed', () => {
  test('stands for all addresses of its host, sorted, IPv6 in brackets, port and scheme kept', async () => {
    const resolver = answering('10.0.0.2', 'fd00::1', '10.0.0.1', '10.0.0.2');
    expect(await resolver.resolve('wss://db.local:7355')).toEqual([
      'wss://10.0.0.1:7355',
      'wss://10.0.0.2:7355',
      'wss://[fd00::1]:7355',
    ]);
  });

  test.each(['ws://10.0.0.1:7355', 'ws://[fd00::1]:7355'])(
    '%s needs nobody to ask',
    async (seed) => {
      const resolver = dnsResolver(async () => {
        throw new Error('asked');
      });
      expect(await resolver.resolve(seed)).toEqual([seed]);
    },
  );

  test.each([
    ['ENOTFOUND', 'no such host'],
    ['EAI_AGAIN', 'the name server does not answer'],
    ['EOTHER', 'EOTHER'],
  ])('that cannot be resolved (%s) is named, with why', async (code, why) => {
    const resolver = dnsResolver(async () => {
      throw Object.assign(new Error(code), { code });
    });
    const message = `seed ws://db.local:7355: db.local cannot be resolved: ${why}`;
    await expect(resolver.resolve('ws://db.local:7355')).rejects.toThrow(message);
  });

  test('whose host has no address is not an empty answer', async () => {
    await expect(answering().resolve('ws://db.local:7355')).rejects.toThrow('has no address');
  });

  test('localhost is known to every machine', async () => {
    expect(await dnsResolver().resolve('ws://localhost:7355')).toContain('ws://127.0.0.1:7355');
  });
});
