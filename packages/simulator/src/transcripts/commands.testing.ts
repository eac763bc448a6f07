/**
 * The commands of the language: for each what one writes, how its words are read, and what it does. Words are
 * read before anything runs; what cannot be used is an Error that says what can.
 */
import { type GivenSettings, type LeaseConduct, readSettings } from '@rollcall/core';
import type { NodeOptions } from '../node-options.js';
import { loss, type Rule } from '../rule.js';
import type { Stage } from './stage.testing.js';

/** Does it, and says what came of it. */
export type Action = (stage: Stage) => Promise<readonly string[]>;

export interface Command {
  readonly usage: string;
  /** `known` are the nodes started further up; a start adds to them. */
  readonly read: (words: readonly string[], known: Set<string>) => Action;
}

const CONDUCTS: readonly LeaseConduct[] = ['answering', 'refusing', 'forgetful', 'silent'];

/** Asks for something that takes no time. */
const at =
  (act: (stage: Stage) => void): Action =>
  async (stage) => {
    act(stage);
    return stage.settle();
  };

export const COMMANDS: Readonly<Record<string, Command>> = {
  seed: {
    usage: 'seed 7',
    read: ([text = '', ...rest], known) => {
      beforeAll(known);
      nothingMore(rest);
      const seed = readNumber(text, /^\d+$/, 'a whole number, as in: seed 7');
      return at((stage) => stage.prepare({ seed }));
    },
  },
  settings: {
    usage: 'settings downing.stableAfter=5s heartbeat.interval=500ms',
    read: (words, known) => {
      beforeAll(known);
      const settings = readPairs(words);
      readSettings(settings);
      return at((stage) => stage.prepare({ settings }));
    },
  },
  seeds: {
    usage: 'seeds a b c',
    read: (names, known) => {
      beforeAll(known);
      return at((stage) => stage.prepare({ seeds: names.map(readName) }));
    },
  },
  start: {
    usage:
      'start a b [seeds=a,b] [roles=worker] [version=2.0.0] [cluster=other] [address=c] [setting=value]',
    read: (words, known) => {
      const { names, options } = readStart(words);
      for (const name of names) known.add(name);
      return at((stage) => stage.start(names, options));
    },
  },
  restart: {
    usage: 'restart a b, with options as for start, or none to start them as before',
    read: (words, known) => {
      const { names, options } = readStart(words);
      const isAsBefore = words.length === names.length;
      checkKnown(names, known);
      return at((stage) => stage.restart(names, isAsBefore ? undefined : options));
    },
  },
  run: {
    usage: 'run 5s',
    read: ([text = '', ...rest]) => {
      nothingMore(rest);
      const ms = readDuration(text);
      return (stage) => stage.run(ms);
    },
  },
  cut: {
    usage: 'cut a b | c d, or one way: cut a -> b c',
    read: (words, known) => {
      const rule = readCut(words, known);
      return at((stage) => stage.spoil(words.join(' '), rule));
    },
  },
  loss: {
    usage: 'loss 20%',
    read: ([text = '', ...rest]) => {
      nothingMore(rest);
      const percent = readNumber(text, /^\d+%$/, 'a percentage, as in: loss 20%');
      return at((stage) => stage.spoil(`loss ${text}`, loss(percent / 100)));
    },
  },
  heal: {
    usage: 'heal, or one cut in the words that made it: heal a b | c d',
    read: (words) => {
      const what = words.join(' ');
      return at((stage) => (what === '' ? stage.healAll() : stage.heal(what)));
    },
  },
  crash: {
    usage: 'crash a b',
    read: (names, known) => {
      checkKnown(names, known);
      return at(({ sim }) => names.forEach((name) => void sim.crash(name)));
    },
  },
  pause: {
    usage: 'pause a b 3s',
    read: (words, known) => {
      const names = checkKnown(words.slice(0, -1), known);
      const ms = readDuration(words.at(-1) ?? '');
      return at(({ sim }) => names.forEach((name) => void sim.pause(name, ms)));
    },
  },
  leave: {
    usage: 'leave a, or asked by another member: leave a by b',
    read: (words, known) => {
      const [name, by = name] = readBy(words, known);
      return at((stage) => stage.leave(name, by));
    },
  },
  down: {
    usage: 'down a by b',
    read: (words, known) => {
      const [name, by] = readBy(words, known);
      if (by === undefined) throw new Error('say which node is asked');
      return at((stage) => stage.down(name, by));
    },
  },
  lease: {
    usage: `lease ${CONDUCTS.join(' | ')}`,
    read: ([word = '', ...rest]) => {
      nothingMore(rest);
      const conduct = CONDUCTS.find((each) => each === word);
      if (conduct === undefined) throw new Error(`a lease is one of ${CONDUCTS.join(', ')}`);
      return at(({ sim }) => {
        sim.lease.conduct = conduct;
      });
    },
  },
  view: {
    usage: 'view',
    read: (words) => {
      nothingMore(words);
      return async (stage) => stage.view();
    },
  },
  why: {
    usage: 'why',
    read: (words) => {
      nothingMore(words);
      return async (stage) => stage.why();
    },
  },
};

function beforeAll(known: ReadonlySet<string>): void {
  if (known.size > 0) throw new Error('this stands above the first start');
}

function nothingMore(words: readonly string[]): void {
  if (words.length > 0) throw new Error(`nothing is known of '${words.join(' ')}' here`);
}

function readNumber(text: string, form: RegExp, what: string): number {
  if (!form.test(text)) throw new Error(`'${text}' is not ${what}`);
  return Number.parseInt(text, 10);
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

function readDuration(text: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? [];
  if (amount === undefined) throw new Error(`'${text}' is no duration: write 500ms, 5s or 2m`);
  return Number(amount) * (UNITS_MS[unit] ?? 0);
}

function readName(word: string): string {
  if (!/^[a-z][a-z0-9]*$/.test(word))
    throw new Error(`'${word}' is no name: small letters, digits`);
  return word;
}

function checkKnown(names: readonly string[], known: ReadonlySet<string>): readonly string[] {
  if (names.length === 0) throw new Error('say which node');
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return names;
  const started = [...known].join(', ') || 'nobody';
  throw new Error(`no node '${unknown}' was started above, only ${started}`);
}

function readPairs(words: readonly string[]): Record<string, string> {
  const pairs = words.map((word) => {
    const [name = '', value] = word.split('=');
    if (value === undefined) throw new Error(`'${word}' is no setting: write name=value`);
    return [name, value];
  });
  return Object.fromEntries(pairs);
}

interface Start {
  readonly names: readonly string[];
  readonly options: NodeOptions;
}

/** Names first, then options; an option with a dot is a setting. */
function readStart(words: readonly string[]): Start {
  const names = words.filter((word) => !word.includes('=')).map(readName);
  if (names.length === 0) throw new Error('say which node');
  const pairs = Object.entries(readPairs(words.filter((word) => word.includes('='))));
  const settings = Object.fromEntries(pairs.filter(([name]) => name.includes('.')));
  readSettings(settings);
  const options = pairs
    .filter(([name]) => !name.includes('.'))
    .map(([name, value]) => readOption(name, value));
  return { names, options: Object.assign({ settings: settings as GivenSettings }, ...options) };
}

function readOption(name: string, value: string): NodeOptions {
  switch (name) {
    case 'seeds':
      return { seeds: value.split(',').map(readName) };
    case 'roles':
      return { roles: value.split(',') };
    case 'version':
      return { appVersion: value };
    case 'cluster':
      return { cluster: value };
    case 'address':
      return { advertise: `ws://${readName(value)}:7355` };
    default:
      throw new Error(`a start takes no '${name}'`);
  }
}

/** Nothing passes between the groups, or from those on the left to those on the right; all else does. */
function readCut(words: readonly string[], known: ReadonlySet<string>): Rule {
  const isOneWay = words.includes('->');
  const text = words.join(' ').split(isOneWay ? '->' : '|');
  const groups = text.map((group) => checkKnown(group.split(' ').filter(Boolean), known));
  if (groups.length < 2) throw new Error("say what is cut from what, with '|' or '->'");
  const groupOf = (name: string) => groups.findIndex((group) => group.includes(name));
  return ({ from, to }) => {
    const [one, other] = [groupOf(from), groupOf(to)];
    const isCut = one >= 0 && other >= 0 && (isOneWay ? one < other : one !== other);
    return isCut ? 'drop' : 'pass';
  };
}

function readBy(words: readonly string[], known: ReadonlySet<string>): readonly [string, string?] {
  const [name = '', by, other, ...rest] = words;
  nothingMore(rest);
  checkKnown([name], known);
  if (by === undefined) return [name];
  if (by !== 'by' || other === undefined) throw new Error(`'${by}' is not 'by' and a node`);
  checkKnown([other], known);
  return [name, other];
}
