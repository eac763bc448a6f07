/**
 * One object for one content: states are told apart by everything they say, so that whatever the
 * shipped functions remember about a state is remembered once. In passing it holds the shipped
 * digest to its promise: equal digests mean equal states (PROTOCOL "Digest").
 */
import { RANK, type State } from '@rollcall/convergence';

export class StateTable {
  readonly states: State[] = [];
  readonly #ids = new Map<string, number>();
  readonly #known = new WeakMap<State, number>();
  readonly #digests = new Set<string>();

  idOf(state: State): number {
    const known = this.#known.get(state);
    if (known !== undefined) return known;
    const text = textOf(state);
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.states.length;
      this.states.push(state);
      this.#ids.set(text, id);
      if (this.#digests.has(state.digest)) throw new Error('two states share a digest');
      this.#digests.add(state.digest);
    } else if (this.states[id]?.digest !== state.digest) {
      throw new Error('one state has two digests');
    }
    this.#known.set(state, id);
    return id;
  }

  /** The object that stands for this content. */
  canonical(state: State): State {
    return this.states[this.idOf(state)] ?? state;
  }
}

const textOf = (state: State): string =>
  JSON.stringify([
    state.clusterId,
    state.epoch,
    state.removed,
    state.members.map(({ key, status, upNumber, row }) => [
      key,
      RANK[status],
      upNumber,
      [row.version, row.unreachable, row.unwell, row.cutOff],
    ]),
  ]);
