/** The parent's end of a measured process: asks it, and waits for what it tells. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export class MeasuredProcess {
  args;
  /** Everything it told, in order. */
  told = [];
  #child;
  #waiting = new Map();
  #wakers = new Set();
  #nextId = 0;

  constructor(script, args = []) {
    this.args = args;
    const path = fileURLToPath(new URL(script, import.meta.url));
    this.#child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 2, 2, 'ipc'] });
    this.#child.on('message', (message) => this.#take(message));
    this.ended = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  #take(message) {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message.answer);
    else this.told.push(message);
    for (const wake of this.#wakers) wake();
  }

  ask(question, facts = {}) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ id, question, facts }, (error) => error && reject(error));
      this.ended.then(() => reject(new Error(`it ended before it answered "${question}"`)));
    });
  }

  /** The first thing of this kind that it told since a moment, or will tell. */
  hears(what, about, sinceMs = 0, withinMs = 120_000) {
    const isIt = (each) => each.what === what && each.about === about && each.atMs >= sinceMs;
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#wakers.delete(look);
        clearTimeout(timer);
      };
      const look = () => {
        const found = this.told.find(isIt);
        if (found === undefined) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        const place = this.args[0] ?? 'a process';
        const ending = this.told.find((each) => each.what === 'ended')?.message;
        const why = ending ? `: it ended, ${ending}` : '';
        reject(new Error(`${place} did not tell "${what}" within ${withinMs / 1_000} s${why}`));
      }, withinMs);
      this.#wakers.add(look);
      look();
    });
  }

  kill() {
    this.#child.kill('SIGKILL');
  }
}

/** Free when asked for; nothing holds them until somebody listens. */
export async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer().listen(0, '127.0.0.1');
      return new Promise((resolve) => server.once('listening', () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
