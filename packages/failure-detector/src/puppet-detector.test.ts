import { describe, expect, it } from 'vitest';
import { DetectorSettingsError } from './detector-settings.js';
import { PuppetDetector } from './puppet-detector.js';

describe('the puppet detector', () => {
  it('stays unavailable through heartbeats until told otherwise', () => {
    const puppet = new PuppetDetector();
    puppet.tellUnavailableFrom(100);
    puppet.heartbeat(150);
    expect(puppet.isMonitoring).toBe(true);
    expect(puppet.isAvailable(99)).toBe(true);
    expect(puppet.isAvailable(150)).toBe(false);
    expect(puppet.suspicion(150)).toBe(8);
    puppet.tellAvailable();
    expect(puppet.isAvailable(150)).toBe(true);
    expect(puppet.suspicion(150)).toBe(0);
  });

  it('suspects as much as it is told', () => {
    const puppet = new PuppetDetector();
    puppet.tellSuspicion(3.5);
    expect(puppet.suspicion(0)).toBe(3.5);
    puppet.tellSuspicion(11);
    puppet.tellUnavailableFrom(0);
    expect(puppet.suspicion(0)).toBe(11);
  });

  it('counts what it was given', () => {
    const puppet = new PuppetDetector();
    for (const ms of [1, 2, Number.NaN]) puppet.heartbeat(ms);
    puppet.excuse(300);
    puppet.excuse(200);
    expect(puppet.heartbeats).toBe(2);
    expect(puppet.excusedMs).toBe(500);
  });

  it('refuses to be told nonsense', () => {
    const puppet = new PuppetDetector();
    expect(() => puppet.tellSuspicion(-1)).toThrow(DetectorSettingsError);
    expect(() => puppet.tellSuspicion(Number.NaN)).toThrow(/suspicion/);
    expect(() => puppet.tellUnavailableFrom(Number.POSITIVE_INFINITY)).toThrow(/unavailableFrom/);
  });
});
