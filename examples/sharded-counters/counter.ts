/** One counter, as an XState machine. */
import { assign, setup } from 'xstate';

export interface Add {
  readonly type: 'add';
  /** Of this addition: when nobody knows whether it arrived it is sent again, and must count once. */
  readonly id: number;
}

export const counter = setup({
  types: {
    context: {} as { readonly count: number; readonly lastId: number | undefined },
    events: {} as Add,
  },
  guards: { isNew: ({ context, event }) => event.id !== context.lastId },
  actions: {
    count: assign(({ context, event }) => ({ count: context.count + 1, lastId: event.id })),
  },
}).createMachine({
  context: { count: 0, lastId: undefined },
  on: { add: { guard: 'isNew', actions: 'count' } },
});
