/** Actors that are plain classes: one greets for whoever asks, at another node; one is watched, and is told of when it stops. */
import { type ActorRef, createActors, type Terminated } from '@rollcall/routing';
import { join } from 'rollcall';
import { PlainActor, PlainActors } from './plain-actors.js';

/** Keeps whom it greeted, one message after the other, without a lock: nobody else has its fields. */
class Greeter extends PlainActor {
  readonly #greeted: string[] = [];

  greet(name: string): string {
    this.#greeted.push(name);
    return `Hello ${name}, you are number ${this.#greeted.length}`;
  }
}

const name = 'greeter';
const anyPort = 'ws://127.0.0.1:0';
await using here = await join({ name, listen: anyPort, seeds: [anyPort] });
await using there = await join({ name, listen: anyPort, seeds: [here.self.address] });

const local = new PlainActors();
const greeter = local.start('greeter', new Greeter());
// References are plain data. This one could have come in a message.
const ref: ActorRef = createActors(there, local).ref('greeter');

const actors = createActors(here, new PlainActors());
for (const who of ['Ann', 'Ben']) console.log(await actors.ask(ref, ['greet', who]));

const problem = await actors.ask(ref, ['shout', 'Ann']).catch((error: Error) => error.message);
console.log('asked for what it cannot do:', problem);

const gone = new Promise<Terminated>((resolve) => {
  actors.terminated$(ref).subscribe(resolve);
});
// What one node says to another arrives in order: with this answer the watch is there as well.
console.log(await actors.ask(ref, ['greet', 'Cid']));
greeter.stop();
console.log('the watched actor is gone:', (await gone).why);
const nobody = await actors.ask(ref, ['greet', 'Dee']).catch((error: Error) => error.message);
console.log('asked once more:', nobody);

const said = [problem, (await gone).why, nobody].join();
if (said !== 'Greeter has no method shout,stopped,there is no actor at greeter')
  throw new Error(`not seen: a refusal, the end, nobody. Seen: ${said}`);
