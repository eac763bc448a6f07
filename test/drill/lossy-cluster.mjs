/** A cluster of real nodes in a namespace: what they say of each other while packets get lost, and how soon a crash is noticed then. */

import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Namespace } from './namespace.mjs';

const COMMAND = fileURLToPath(new URL('../../packages/rollcall/dist/bin.js', import.meta.url));
const FIRST_PORT = 7_351;
const FORM_MS = 60_000;
const CRASH_MS = 120_000;

const addressOf = (at) => `ws://127.0.0.1:${FIRST_PORT + at}`;

export class LossyCluster {
  #namespace;
  #options;
  #children = [];
  /** What nodes have logged, with who and when. */
  #lines = [];
  #waiting = new Set();
  #isClosed = false;
  #fail;
  #ended = new Promise((_, reject) => {
    this.#fail = reject;
  });

  constructor(name, options) {
    this.#namespace = new Namespace(name);
    this.#options = options;
  }

  async form() {
    const { nodes } = this.#options;
    await this.#namespace.open();
    for (let at = 0; at < nodes; at += 1) this.#start(at);
    await this.#until(
      'all are up at all of them',
      FORM_MS,
      () => this.#count('memberUp') >= nodes ** 2,
    );
  }

  /** What was said from the first loss on; then one is killed. */
  async endure() {
    const { loss, seconds, nodes } = this.#options;
    const [from, before] = [this.#lines.length, await this.#namespace.sentAgain()];
    if (loss > 0) await this.#namespace.lose(loss, FIRST_PORT, FIRST_PORT + nodes - 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const figures = {
      suspected: this.#count('memberSuspected', from),
      unreachable: this.#count('memberUnreachable', from),
      broken: this.#lines.slice(from).filter(({ msg }) => / is broken: /.test(msg)).length,
      sentAgain: (await this.#namespace.sentAgain()) - before,
    };
    return this.#options['no-crash'] ? figures : { ...figures, crash: await this.#crash() };
  }

  /** Rejects when a node ends by itself. */
  get ended() {
    return this.#ended;
  }

  async close() {
    this.#isClosed = true;
    for (const child of this.#children) child.kill('SIGKILL');
    await this.#namespace.close();
  }

  #start(at) {
    const { nodes, set, isByLinksAlone } = this.#options;
    const seeds = [...Array(Math.min(3, nodes)).keys()].map(addressOf);
    const settings = ['downing.strategy=manual', ...set];
    if (isByLinksAlone) settings.push('limits.datagramBytes=0');
    const args = [
      ...[COMMAND, 'node', '--name', 'drill', '--listen', addressOf(at)],
      ...seeds.flatMap((seed) => ['--seed', seed]),
      ...settings.flatMap((pair) => ['--set', pair]),
    ];
    const child = this.#namespace.spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#children.push(child);
    child.once('close', (code) => {
      if (code !== null && !this.#isClosed)
        this.#fail(new Error(`a node ended with ${code}: ${this.#lastWord(at)}`));
    });
    createInterface({ input: child.stderr }).on('line', (line) => this.#note(at, line));
  }

  #note(at, line) {
    let said;
    try {
      said = JSON.parse(line);
    } catch {
      said = { msg: line };
    }
    this.#lines.push({ ...said, at });
    for (const look of this.#waiting) look();
  }

  /** The first line is the one that says what is wrong. */
  #lastWord(at) {
    return this.#lines.find((line) => line.at === at)?.msg ?? 'it said nothing';
  }

  #count(event, from = 0) {
    return this.#lines.slice(from).filter((line) => line.event === event).length;
  }

  /** How long until the last of the others calls the last node unreachable, in words. */
  async #crash() {
    const victim = this.#options.nodes - 1;
    // One that was held unreachable before would be noticed too soon: whoever says so from now on counts.
    const from = this.#lines.length;
    const startMs = Date.now();
    this.#children[victim].kill('SIGKILL');
    const told = () =>
      new Map(
        this.#lines
          .slice(from)
          .filter(
            ({ event, node, at }) =>
              event === 'memberUnreachable' && node === addressOf(victim) && at !== victim,
          )
          .map(({ at, time }) => [at, Date.parse(time)]),
      );
    try {
      await this.#until('all have noticed the crash', CRASH_MS, () => told().size === victim);
    } catch {
      return `not in ${CRASH_MS / 1_000} s`;
    }
    return `${((Math.max(...told().values()) - startMs) / 1_000).toFixed(1)} s`;
  }

  #until(what, withinMs, holds) {
    return new Promise((resolve, reject) => {
      const end = (settle) => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        settle();
      };
      const look = () => {
        if (holds()) end(resolve);
      };
      const last = () => this.#lines.at(-1)?.msg ?? 'nothing';
      const fail = () =>
        reject(new Error(`waited ${withinMs / 1_000} s until ${what}; last said: ${last()}`));
      const timer = setTimeout(() => end(fail), withinMs);
      this.#waiting.add(look);
      look();
    });
  }
}
