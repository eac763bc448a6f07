/** The detector's costs, measured beside it. */
import { detectorCosts } from '../../../packages/failure-detector/bench/phi.mjs';
import { figure } from '../report.mjs';

const RATIO_MAX = 1.1;
/** Less than any object: what looking at the heap adds. */
const SLACK_BYTES = 0.5;
/** What the engine makes of a number with a fraction that a call returns. */
const NUMBER_BYTES = 16;

export function phi({ quick, show, step }) {
  step('window 10 and 1,000, in turns');
  for (const cost of detectorCosts({ repetitions: quick ? 20 : 60 })) {
    const { operation, tail, smallNs, largeNs, bytes } = cost;
    const returned = operation === 'suspicion' ? NUMBER_BYTES : 0;
    const allocates = bytes > returned + SLACK_BYTES;
    // The true tail is too long to be compiled into its caller: what is handed over and back is boxed.
    const mayAllocate = operation === 'suspicion' && tail === 'exact';
    show(
      figure('phi', `${operation}, ${tail} tail, window 1,000`, {
        value: largeNs,
        unit: 'ns',
        against: 'window 10',
        other: smallNs,
        reach: mayAllocate ? `≤ ${RATIO_MAX}` : `≤ ${RATIO_MAX}, no allocation`,
        isMet: largeNs / smallNs <= RATIO_MAX && (!allocates || mayAllocate),
        note: allocates ? `allocates ${(bytes - returned).toFixed(1)} bytes a call` : undefined,
      }),
    );
  }
}
