/**
 * The values one process can have, numbered; and beside each what the search asks most, as numbers.
 * A position then names a process by 16 bits.
 */
import { isLive, type Replica } from '@rollcall/convergence';
import type { Cast } from './cast.js';
import { type Local, runs } from './local.js';
import type { StateTable } from './state-table.js';

const ROOM = 1 << 16;

/** More values of one process than a position has room for. */
export class TableFull extends Error {}

export class LocalTable {
  readonly locals: Local[] = [];
  /** 1 for a process that runs: introducing, member or exited. */
  readonly running = new Uint8Array(ROOM);
  /** 1 for a member that has a say in its own state. */
  readonly voting = new Uint8Array(ROOM);
  /**
   * Whom it gossips to: live in its own state, and nobody but its acceptor while it is a newcomer.
   */
  readonly partners = new Uint8Array(ROOM);
  /** Who else is live in its own state. */
  readonly others = new Uint8Array(ROOM);
  /** Whom its own row names. */
  readonly named = new Uint8Array(ROOM);
  /**
   * Whose heartbeats it answers: not those of whom it holds Down, Exited or removed (PROTOCOL
   * "Receiving").
   */
  readonly answers = new Uint8Array(ROOM);
  /** The process that would still take its introduction, or -1. */
  readonly token = new Int8Array(ROOM);
  readonly #ids = new Map<string, number>();
  readonly #cast: Cast;
  readonly #self: number;
  readonly #states: StateTable;

  constructor(cast: Cast, self: number, states: StateTable) {
    this.#cast = cast;
    this.#self = self;
    this.#states = states;
  }

  get(id: number): Local {
    return this.locals[id] as Local;
  }

  /** The number of a value, a new one if it is new. */
  idOf(local: Local): number {
    const text = this.#textOf(local);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.locals.length;
    if (id === ROOM) throw new TableFull(`more than ${ROOM} values of one process`);
    this.#ids.set(text, id);
    const { replica } = local;
    const state = replica === null ? null : this.#states.canonical(replica.state);
    this.locals.push(
      replica === null || state === null ? local : { ...local, replica: { ...replica, state } },
    );
    this.#note(id, local);
    return id;
  }

  #textOf({ stage, replica, removed, acceptor, accepted, decided, wrong }: Local): string {
    const state = replica === null ? -1 : this.#states.idOf(replica.state);
    const seen = replica === null ? '' : replica.seen.bytes.join();
    return `${stage} ${state} ${seen} ${removed} ${acceptor} ${accepted} ${decided} ${wrong?.rule}`;
  }

  #note(id: number, local: Local): void {
    const isFree = local.acceptor >= 0 && !local.accepted;
    this.token[id] = isFree ? local.acceptor : -1;
    const { replica } = local;
    if (!runs(local) || replica === null) return;
    this.running[id] = 1;
    this.voting[id] = local.stage === 'member' && isLiveIn(replica) ? 1 : 0;
    const { keys } = this.#cast;
    const maskOf = (wanted: (index: number) => boolean) =>
      keys.reduce((mask, _, index) => (wanted(index) ? mask | (1 << index) : mask), 0);
    const statusOf = (index: number) => replica.state.get(keys[index] ?? '')?.status;
    this.others[id] = maskOf((index) => {
      const status = statusOf(index);
      return index !== this.#self && status !== undefined && isLive(status);
    });
    const isNewcomer = local.acceptor >= 0 && local.stage !== 'member';
    this.partners[id] = (this.others[id] as number) & (isNewcomer ? 1 << local.acceptor : 0xff);
    const own = replica.state.get(replica.self)?.row.unreachable ?? [];
    this.named[id] = this.#cast.maskOfKeys(own);
    this.answers[id] = maskOf((index) => {
      const status = statusOf(index);
      const isPast = status === 'Down' || status === 'Exited';
      return !isPast && !replica.state.wasRemoved(keys[index] ?? '');
    });
  }
}

function isLiveIn({ self, state }: Replica): boolean {
  const status = state.get(self)?.status;
  return status !== undefined && isLive(status);
}
