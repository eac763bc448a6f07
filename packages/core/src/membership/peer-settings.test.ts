import { describe, expect, it } from 'vitest';
import { newRegistry } from './detector-registry.js';
import { readSettings } from './settings.js';
import { ClusterSettingsError } from './settings-error.js';

const FAR = 'ws://10.1.0.9:7355';

describe('overrides for one member', () => {
  it('are read from a tree and from dotted names, whatever dots the address has', () => {
    const peers = { [FAR]: { threshold: 12, acceptablePause: 6_000 } };
    const tree = readSettings({ peers: { [FAR]: { threshold: 12, acceptablePause: '6s' } } });
    const flat = readSettings({
      [`peers.${FAR}.threshold`]: 12,
      [`peers.${FAR}.acceptablePause`]: '6s',
    });
    expect({ ...tree.peers }).toEqual(peers);
    expect({ ...flat.peers }).toEqual(peers);
    expect(readSettings().peers).toEqual({});
  });

  it('make this node wait longer for that member, and for no other', () => {
    const settings = readSettings({ peers: { [FAR]: { acceptablePause: '10s' } } });
    const registry = newRegistry(settings);
    const tripMs = (key: string) => {
      for (let atMs = 0; atMs <= 20_000; atMs += 1_000) registry.heartbeat(key, atMs);
      return (registry.get(key)?.unavailableAtMs() ?? 0) - 20_000;
    };
    expect(
      tripMs(`${FAR}#00000000000000a1`) - tripMs('ws://10.1.0.8:7355#00000000000000b1'),
    ).toBeCloseTo(7_000, 6);
  });

  it.each([
    [
      { [FAR]: { acceptablePause: '500ms' } },
      /with what peers\.ws:\/\/10\.1\.0\.9:7355 says, .*shorter than heartbeat\.interval/,
    ],
    [{ [FAR]: { threshold: 0.2 } }, /inside one deviation/],
    [{ [FAR]: { threshold: 'high' } }, /^peers\.ws:\/\/10\.1\.0\.9:7355\.threshold takes a number/],
    [{ [FAR]: { patience: 3 } }, /there is no setting "peers\.ws:\/\/10\.1\.0\.9:7355\.patience"/],
    [
      { nowhere: { threshold: 12 } },
      /there is no setting "peers\.nowhere\.threshold".*peers\.<address>/,
    ],
    [{ threshold: 3 }, /there is no setting "peers\.threshold"/],
    [3, /peers is a group of settings/],
  ])('that cannot be used are refused: %j', (peers, message) => {
    const read = () => readSettings({ peers });
    expect(read).toThrow(ClusterSettingsError);
    expect(read).toThrow(message);
  });
});
