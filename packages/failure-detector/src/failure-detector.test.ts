import { DeadlineDetector } from './deadline-detector.js';
import { failureDetectorSuite } from './failure-detector.testing.js';
import { PhiExponentialDetector } from './phi-exponential-detector.js';
import { PhiNormalDetector } from './phi-normal-detector.js';
import { PuppetDetector } from './puppet-detector.js';

failureDetectorSuite('phi-normal', () => new PhiNormalDetector());
failureDetectorSuite('phi-normal, exact tail', () => new PhiNormalDetector({ exactTail: true }));
failureDetectorSuite(
  'phi-normal, three samples, no pause',
  () => new PhiNormalDetector({ maxSamples: 3, acceptablePauseMs: 0, threshold: 1 }),
);
failureDetectorSuite('phi-exponential', () => new PhiExponentialDetector());
failureDetectorSuite('deadline', () => new DeadlineDetector());
failureDetectorSuite('puppet', () => new PuppetDetector(), {
  silenceBegins: (puppet, lastMs) => puppet.tellUnavailableFrom(lastMs + 4_000),
  weighsNothingBecause: 'it says what it is told',
});
