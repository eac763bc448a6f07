/**
 * What a heartbeat and a question cost, and that neither depends on the window nor allocates. It
 * informs and does not judge. Build first, then:
 *
 *     node --expose-gc --min-semi-space-size=64 packages/failure-detector/bench/phi.mjs
 *
 * The large young space keeps the heap from being swept inside a measured loop.
 */
import { fileURLToPath } from 'node:url';
import { PhiNormalDetector } from '../dist/index.js';

const rounds = 250_000;

/** A link that is a little irregular, without asking for chance in the measured loop. */
const gapMs = (i) => 950.5 + ((i * 7_919) % 101);

/**
 * Moments to hand to a detector. A number with a fraction is an object to the engine when it is handed
 * on; the word at the end makes the array one of objects, so that they are made here and not in the loop.
 */
function moments(fromMs) {
  const times = [''];
  times.length = 0;
  let nowMs = fromMs;
  for (let i = 0; i < rounds; i++) {
    nowMs += gapMs(i);
    times.push(nowMs);
  }
  times.push('');
  return times;
}

/** Each loop stands alone, so that the compiler sees one call in it. */
const loops = {
  heartbeat(detector, times) {
    for (let i = 0; i < rounds; i++) detector.heartbeat(times[i]);
    return 0;
  },
  suspicion(detector, times) {
    let sink = 0;
    for (let i = 0; i < rounds; i++) sink += detector.suspicion(times[i]);
    return sink;
  },
  isAvailable(detector, times) {
    let sink = 0;
    for (let i = 0; i < rounds; i++) if (detector.isAvailable(times[i])) sink++;
    return sink;
  },
};

/** Questions are about the next few seconds: a silence of hours is decided before any arithmetic. */
function momentsOfSilence(lastMs) {
  const times = moments(0);
  for (let i = 0; i < rounds; i++) times[i] = lastMs + gapMs(i) * 3;
  return times;
}

/** One operation on a detector with a full window: the least CPU that a run took so far, and what it allocated. */
class Subject {
  bestNs = Number.POSITIVE_INFINITY;
  leastBytes = Number.POSITIVE_INFINITY;
  #detector;
  #loop;

  constructor(maxSamples, exactTail, loop) {
    this.#detector = new PhiNormalDetector({ maxSamples, exactTail });
    this.#loop = loop;
    let nowMs = 0;
    for (let i = 0; i < 2 * maxSamples; i++) {
      nowMs += gapMs(i);
      this.#detector.heartbeat(nowMs);
    }
    for (let warmUp = 0; warmUp < 5; warmUp++) loop(this.#detector, this.#times());
  }

  #times() {
    const { lastHeartbeatMs } = this.#detector;
    const isBeat = this.#loop === loops.heartbeat;
    return isBeat ? moments(lastHeartbeatMs) : momentsOfSilence(lastHeartbeatMs);
  }

  measure() {
    const times = this.#times();
    globalThis.gc?.();
    const heapBefore = process.memoryUsage().heapUsed;
    const cpuBefore = process.cpuUsage();
    this.#loop(this.#detector, times);
    const { user, system } = process.cpuUsage(cpuBefore);
    const grown = process.memoryUsage().heapUsed - heapBefore;
    this.bestNs = Math.min(this.bestNs, ((user + system) * 1_000) / rounds);
    this.leastBytes = Math.min(this.leastBytes, Math.max(0, grown) / rounds);
  }
}

/** Nanoseconds of CPU per call with a window of 10 and of 1,000, measured in turns; bytes the heap grew per call. */
export function* detectorCosts({ repetitions = 40 } = {}) {
  for (const exactTail of [false, true]) {
    for (const [operation, loop] of Object.entries(loops)) {
      const [small, large] = [10, 1_000].map((window) => new Subject(window, exactTail, loop));
      for (let i = 0; i < repetitions; i++) {
        small.measure();
        large.measure();
      }
      const tail = exactTail ? 'exact' : 'logistic';
      const [smallNs, largeNs, bytes] = [small.bestNs, large.bestNs, large.leastBytes];
      yield { operation, tail, smallNs, largeNs, bytes };
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(14)).join(''));
  row('operation', 'tail', 'ns, window 10', 'ns, 1000', 'ratio', 'bytes per call');
  for (const { operation, tail, smallNs, largeNs, bytes } of detectorCosts()) {
    const times = [smallNs.toFixed(1), largeNs.toFixed(1), (largeNs / smallNs).toFixed(2)];
    row(operation, tail, ...times, bytes.toFixed(2));
  }
  if (!globalThis.gc)
    console.log('without --expose-gc the bytes depend on when the heap was swept');
}
