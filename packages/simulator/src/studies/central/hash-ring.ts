/**
 * Consistent hashing (Karger et al. 1997): each node has some points on a circle, a key belongs to the next point whose
 * node is there. Who goes leaves its keys to many, and everybody else's stay.
 */
import { SeededRandom } from '../../seeded-random.js';

const POINTS = 64;

export class HashRing {
  /** Points by place, each with its node. */
  readonly #places: Float64Array;
  readonly #nodes: Int32Array;

  constructor(seed: number, nodes: number) {
    const chance = new SeededRandom(seed, 'ring');
    const points = Array.from({ length: nodes * POINTS }, (_, i) => {
      return { place: chance.next(), node: Math.floor(i / POINTS) };
    }).sort((a, b) => a.place - b.place);
    this.#places = Float64Array.from(points, ({ place }) => place);
    this.#nodes = Int32Array.from(points, ({ node }) => node);
  }

  /** Whose a place in [0, 1) is, among those who are not out; -1 if all are. */
  ownerOf(place: number, isOut: (node: number) => boolean): number {
    const count = this.#places.length;
    const first = this.#firstFrom(place);
    for (let step = 0; step < count; step++) {
      const node = this.#nodes[(first + step) % count] as number;
      if (!isOut(node)) return node;
    }
    return -1;
  }

  #firstFrom(place: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
