/**
 * An adapter for nact: its actors can be reached from other nodes, actors of other nodes look like nact references here,
 * and an actor can be told when one of them is gone.
 */
import {
  type ActorRef,
  type ActorSystemBridge,
  type Actors,
  type ActorsCluster,
  createActors,
  type LocalActor,
  type Terminated,
} from '@rollcall/routing';
import { type ActorSystemRef, dispatch, query, type Ref, spawn, start } from 'nact';

/** What an actor does with one message: nact's function of state and message. */
export type Behaviour<State, Message> = (state: State, message: Message) => State | Promise<State>;

const ANSWER_MS = 5_000;

export class NactActors implements ActorSystemBridge {
  readonly system: ActorSystemRef = start();
  readonly #actors: Actors;
  readonly #running = new Map<string, Ref<unknown>>();
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(cluster: ActorsCluster) {
    this.#actors = createActors(cluster, this);
  }

  /** Starts an actor that other nodes can reach. `ref` is what to send them, as nact's own references stay here. */
  spawn<State, Message>(path: string, initialState: State, behaviour: Behaviour<State, Message>) {
    const watchers = new Set<() => void>();
    const afterStop = () => {
      this.#running.delete(path);
      for (const stopped of watchers) stopped();
    };
    const local = spawn(
      this.system,
      (state: State, message: Message) => behaviour(state, message),
      path,
      { initialState, afterStop },
    );
    this.#running.set(path, local);
    this.#watchers.set(path, watchers);
    return { local, ref: this.#actors.ref(path) };
  }

  /** An actor of another node, as nact knows actors: what is dispatched to it goes there in order, or nowhere if it is gone. */
  remote<Message>(ref: ActorRef): Ref<Message> {
    return spawn(
      this.system,
      (_: undefined, message: Message) =>
        this.#actors.tell(ref, message).catch(() => {}) as Promise<undefined>,
    );
  }

  ask(ref: ActorRef, message: object): Promise<unknown> {
    return this.#actors.ask(ref, message);
  }

  /** Death watch: `watcher` gets the message that `told` makes of it. */
  watch<Message>(ref: ActorRef, watcher: Ref<Message>, told: (gone: Terminated) => Message): void {
    this.#actors.terminated$(ref).subscribe((gone) => dispatch(watcher, told(gone)));
  }

  resolve(path: string): LocalActor | undefined {
    const actor = this.#running.get(path);
    if (actor === undefined) return undefined;
    return {
      // In nact whoever wants an answer puts itself into the message as its sender.
      deliver: (message, { isAsk }) =>
        isAsk
          ? query(actor, (sender: Ref<unknown>) => ({ ...(message as object), sender }), ANSWER_MS)
          : dispatch(actor, message),
      watch: (stopped) => {
        this.#watchers.get(path)?.add(stopped);
        return () => void this.#watchers.get(path)?.delete(stopped);
      },
    };
  }
}
