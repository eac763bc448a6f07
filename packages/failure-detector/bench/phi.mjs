/**
 * What a heartbeat and a question cost, and that neither depends on the window nor allocates. It
 * informs and does not judge. Build first, then:
 *
 *     node --expose-gc packages/failure-detector/bench/phi.mjs
 */
import { PhiNormalDetector } from '../dist/index.js';

const rounds = 2_000_000;
const repetitions = 7;

/** A link that is a little irregular, without asking for chance in the measured loop. */
const gapsMs = Float64Array.from({ length: 1_024 }, (_, i) => 950 + ((i * 7_919) % 101));

/** The clock of the link; kept in an array because a number in a variable may be allocated anew. */
const clock = new Float64Array(1);
const nextMs = (i) => {
  clock[0] += gapsMs[i & 1_023];
  return clock[0];
};

const operations = {
  heartbeat: (detector, i) => detector.heartbeat(nextMs(i)),
  suspicion: (detector, i) => detector.suspicion(clock[0] + gapsMs[i & 1_023] * 3),
  isAvailable: (detector, i) => detector.isAvailable(clock[0] + gapsMs[i & 1_023] * 3),
};

function run(detector, operation) {
  let sink = 0;
  for (let i = 0; i < rounds; i++) sink += Number(operation(detector, i) ?? 0);
  return sink;
}

/** The fastest of several runs in nanoseconds per call, and the bytes the heap grew per call. */
function measure(maxSamples, exactTail, operation) {
  const detector = new PhiNormalDetector({ maxSamples, exactTail });
  for (let i = 0; i < 2 * maxSamples; i++) detector.heartbeat(nextMs(i));
  run(detector, operation);
  let bestNs = Number.POSITIVE_INFINITY;
  let leastBytes = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repetitions; i++) {
    globalThis.gc?.();
    const heapBefore = process.memoryUsage().heapUsed;
    const startNs = process.hrtime.bigint();
    run(detector, operation);
    bestNs = Math.min(bestNs, Number(process.hrtime.bigint() - startNs) / rounds);
    const grown = process.memoryUsage().heapUsed - heapBefore;
    leastBytes = Math.min(leastBytes, Math.max(0, grown) / rounds);
  }
  return { bestNs, leastBytes };
}

const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(14)).join(''));
row('operation', 'tail', 'ns, window 10', 'ns, 1000', 'ratio', 'bytes per call');
for (const exactTail of [false, true]) {
  for (const [name, operation] of Object.entries(operations)) {
    const small = measure(10, exactTail, operation);
    const large = measure(1_000, exactTail, operation);
    row(
      name,
      exactTail ? 'exact' : 'logistic',
      small.bestNs.toFixed(1),
      large.bestNs.toFixed(1),
      (large.bestNs / small.bestNs).toFixed(2),
      large.leastBytes.toFixed(2),
    );
  }
}
if (!globalThis.gc) console.log('without --expose-gc the bytes depend on when the heap was swept');
