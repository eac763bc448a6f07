import { ClusterError, type GivenSettings } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { checkOptions, type NodeOptions } from './node-options.js';

const GOOD: NodeOptions = {
  name: 'orders',
  listen: 'ws://127.0.0.1:7355',
  seeds: ['ws://127.0.0.1:7355'],
};

function settingOf(options: Partial<NodeOptions>): unknown {
  try {
    checkOptions({ ...GOOD, ...options });
    return 'nothing';
  } catch (error) {
    expect(error).toBeInstanceOf(ClusterError);
    const { code, data, message } = error as ClusterError;
    expect(code).toBe('badSetting');
    expect(message).toContain(String(data.setting));
    return data.setting;
  }
}

describe('what cannot be used is named', () => {
  test.each<[string, Partial<NodeOptions>, string]>([
    ['no name', { name: '' }, 'name'],
    ['a name with a space', { name: 'my app' }, 'name'],
    ['http', { listen: 'http://127.0.0.1:7355' }, 'listen'],
    ['no port', { listen: 'ws://127.0.0.1' }, 'listen'],
    ['a port too high', { listen: 'ws://127.0.0.1:65536' }, 'listen'],
    ['a path', { listen: 'ws://127.0.0.1:7355/cluster' }, 'listen'],
    ['a user', { listen: 'ws://me@127.0.0.1:7355' }, 'listen'],
    ['a host that is none', { listen: 'ws://1.2.3.4.5:7355' }, 'listen'],
    ['listening everywhere', { listen: 'ws://0.0.0.0:7355' }, 'advertise'],
    ['listening everywhere, IPv6', { listen: 'ws://[::]:7355' }, 'advertise'],
    ['advertising everywhere', { advertise: 'ws://0.0.0.0:7355' }, 'advertise'],
    ['wss without tls', { listen: 'wss://127.0.0.1:7355' }, 'tls'],
    ['wss without a key', { listen: 'wss://127.0.0.1:7355', tls: { cert: 'x' } }, 'tls'],
    ['a certificate without wss', { tls: { cert: 'x', key: 'y' } }, 'listen'],
    ['no seeds', { seeds: [] }, 'seeds'],
    ['a seed that is none', { seeds: ['127.0.0.1:7355'] }, 'seeds'],
    ['a seed everywhere', { seeds: ['ws://0.0.0.0:7355'] }, 'seeds'],
    ['a seed without a port', { seeds: ['ws://127.0.0.1:0'] }, 'seeds'],
    ['a role with a comma', { roles: ['a,b'] }, 'roles'],
    ['an empty version', { appVersion: '' }, 'appVersion'],
    ['an empty secret', { secret: '' }, 'secret'],
    ['a secret that is no text', { secret: 'open \ud800' }, 'secret'],
    ['listening everywhere, IPv4 in IPv6', { listen: 'ws://[::ffff:0.0.0.0]:0' }, 'advertise'],
    ['a seed everywhere, IPv4 in IPv6', { seeds: ['ws://[::ffff:0:0]:7355'] }, 'seeds'],
    ['a tie-breaker missing', { settings: { downing: { strategy: 'lease-majority' } } }, 'lease'],
    ['a setting out of range', { settings: { heartbeat: { interval: 1 } } }, 'heartbeat.interval'],
  ])('%s', (_, options, setting) => {
    expect(settingOf(options)).toBe(setting);
  });
});

const loop: Record<string, unknown> = {};
loop.heartbeat = { more: loop };

describe('what plain JavaScript may hand over is named, with what the option takes', () => {
  test.each<[string, unknown, string]>([
    ['name', 5, 'text'],
    ['name', undefined, 'text'],
    ['listen', 7355, 'ws://127.0.0.1:7355'],
    ['listen', new URL('ws://127.0.0.1:7355'), 'ws://127.0.0.1:7355'],
    ['advertise', new URL('ws://127.0.0.1:7355'), 'not a URL object'],
    ['advertise', 7355, 'ws://127.0.0.1:7355'],
    ['seeds', undefined, 'a list of addresses'],
    ['seeds', 'ws://127.0.0.1:7355', 'a list of addresses'],
    ['seeds', 7355, 'a list of addresses'],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ['seeds', ['ws://127.0.0.1:7355', , 'ws://127.0.0.1:7356'], 'a list with undefined in it'],
    ['roles', [1], 'a list with a number in it'],
    ['roles', 'x', 'a list of words'],
    ['appVersion', 1, 'text'],
    ['secret', null, 'leave secret out'],
    ['secret', 5, 'text'],
    ['secret', {}, 'text'],
    ['tls', 'cert', 'cert, key'],
    ['settings', loop, 'too deep'],
    ['settings', new Map(), 'a plain object'],
    ['settings', 5, 'an object'],
    ['lease', {}, 'acquire()'],
    ['classes', 'Money', 'an object of classes, such as { Money }'],
    ['logger', { info() {} }, 'warn()'],
    ['secert', 'open sesame', "there is no option 'secert'; the nearest is secret, of name, "],
    ['constructor', 'x', 'there is no option'],
  ])('%s: %j', (name, value, said) => {
    const options = { ...GOOD, [name]: value } as unknown as NodeOptions;
    expect(settingOf({ [name]: value })).toBe(name);
    expect(() => checkOptions(options)).toThrow(said);
  });

  test.each([undefined, null, 'ws://127.0.0.1:7355', [], AbortSignal.abort()])(
    'no options at all: %j',
    (options) => {
      expect(() => checkOptions(options as unknown as NodeOptions)).toThrow('options must be');
    },
  );

  test('something in the settings that hides what it holds', () => {
    const settings = { heartbeat: new Map() } as unknown as GivenSettings;
    expect(settingOf({ settings })).toBe('heartbeat');
  });

  test('a secret is not said again', () => {
    const options = { ...GOOD, secret: ['open sesame'] } as unknown as NodeOptions;
    expect(() => checkOptions(options)).toThrow(/^(?!.*sesame)/);
  });
});

describe('what can be used', () => {
  test('an option that is undefined is one that was left out', () => {
    const { SECRET_THAT_IS_NOT_SET: secret } = process.env;
    const none = { advertise: undefined, roles: undefined, appVersion: undefined, tls: undefined };
    const more = { settings: undefined, lease: undefined, logger: undefined };
    expect(checkOptions({ ...GOOD, ...none, ...more, secret }).secret).toBeUndefined();
  });

  test('is written one way', () => {
    const checked = checkOptions({
      ...GOOD,
      listen: 'WS://0.0.0.0:07355/',
      advertise: 'ws://Node-1.Example:7355',
      seeds: ['ws://[0:0::1]:1', 'ws://[::1]:1', 'ws://DB.local:2'],
      roles: ['worker', 'api', 'worker'],
    });
    expect(checked).toMatchObject({
      listen: 'ws://0.0.0.0:7355',
      advertise: 'ws://node-1.example:7355',
      seeds: ['ws://[::1]:1', 'ws://db.local:2'],
      roles: ['api', 'worker'],
      appVersion: '0.0.0',
    });
  });

  test('port 80 is a port like any other', () => {
    expect(checkOptions({ ...GOOD, listen: 'ws://127.0.0.1:80' }).listen).toBe('ws://127.0.0.1:80');
  });
});
