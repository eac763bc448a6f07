/** The hall: a nact actor that knows who is in it, passes on what they say, and watches them. */
import type { ActorRef, Terminated } from '@rollcall/routing';
import { dispatch, type Ref } from 'nact';
import type { NactActors } from './nact-actors.js';

export interface Line {
  readonly by: string;
  readonly text: string;
}

export type ToHall =
  | { readonly type: 'enter'; readonly name: string; readonly guest: ActorRef }
  | { readonly type: 'say'; readonly line: Line }
  | { readonly type: 'gone'; readonly name: string; readonly why: Terminated['why'] }
  | { readonly type: 'who'; readonly sender: Ref<readonly string[]> };

type Guests = ReadonlyMap<string, Ref<Line>>;

export function openHall(nact: NactActors, tell: (news: string) => void): ActorRef {
  const sayToAll = (guests: Guests, line: Line) => {
    for (const guest of guests.values()) dispatch(guest, line);
  };
  const hall = nact.spawn('hall', new Map() as Guests, (guests, message: ToHall): Guests => {
    switch (message.type) {
      case 'enter': {
        const { name, guest } = message;
        nact.watch<ToHall>(guest, hall.local, ({ why }) => ({ type: 'gone', name, why }));
        tell(`${name} enters`);
        return new Map([...guests, [name, nact.remote<Line>(guest)]]);
      }
      case 'say':
        sayToAll(guests, message.line);
        return guests;
      case 'gone':
        tell(`${message.name} is gone: ${message.why}`);
        return new Map([...guests].filter(([name]) => name !== message.name));
      case 'who':
        dispatch(message.sender, [...guests.keys()]);
        return guests;
    }
  });
  return hall.ref;
}
