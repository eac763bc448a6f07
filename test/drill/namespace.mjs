/** A network of its own, as Linux has them: a loopback on which packets can be made to get lost. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Why this machine cannot do it; undefined if it can, as it just has. */
export async function whyNot() {
  if (process.platform !== 'linux') return 'it takes the network namespaces of Linux';
  if (process.getuid() !== 0) return 'it takes root, to make a network namespace';
  const trial = new Namespace(`rollcall-${process.pid}-trial`);
  try {
    await trial.open();
    await trial.lose(0, 1, 2);
    return undefined;
  } catch (error) {
    const missing = /^spawn (\S+) ENOENT|exec of "(\S+)" failed/.exec(error.message);
    const command = missing?.[1] ?? missing?.[2];
    if (command !== undefined) return `it takes the command ${command}, which is not installed`;
    return `it takes a network namespace with iptables, and ${error.message.trim().split('\n').at(-1)}`;
  } finally {
    await trial.close();
  }
}

export class Namespace {
  #name;

  constructor(name) {
    this.#name = name;
  }

  async open() {
    await run('ip', ['netns', 'add', this.#name]);
    await this.run('ip', 'link', 'set', 'lo', 'up');
  }

  async run(command, ...args) {
    return (await run('ip', ['netns', 'exec', this.#name, command, ...args])).stdout;
  }

  spawn(command, args, options) {
    return spawn('ip', ['netns', 'exec', this.#name, command, ...args], options);
  }

  /** So many per cent of all packets to or from these ports, on arrival. */
  async lose(percent, firstPort, lastPort) {
    const ports = `${firstPort}:${lastPort}`;
    const chance = ['--mode', 'random', '--probability', `${percent / 100}`];
    for (const which of [
      ['-p', 'tcp', '--dport', ports],
      ['-p', 'tcp', '--sport', ports],
      ['-p', 'udp', '--dport', ports],
    ])
      await this.run(
        'iptables',
        '-A',
        'INPUT',
        ...which,
        '-m',
        'statistic',
        ...chance,
        '-j',
        'DROP',
      );
  }

  /** TCP segments that were sent again, so far. */
  async sentAgain() {
    const lines = (await this.run('cat', '/proc/net/snmp'))
      .split('\n')
      .filter((line) => line.startsWith('Tcp:'))
      .map((line) => line.split(' '));
    return Number(lines[1]?.[lines[0]?.indexOf('RetransSegs')]);
  }

  async close() {
    await run('ip', ['netns', 'del', this.#name]).catch(() => {});
  }
}
