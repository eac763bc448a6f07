/**
 * From settings to a detector: the one place that knows every kind. Each detector checks its own
 * settings; this file only chooses.
 */
import { DeadlineDetector, type DeadlineOptions } from './deadline-detector.js';
import { DetectorSettingsError } from './detector-settings.js';
import type { FailureDetector, GapStatistics } from './failure-detector.js';
import { PhiExponentialDetector, type PhiExponentialOptions } from './phi-exponential-detector.js';
import { PhiNormalDetector, type PhiNormalOptions } from './phi-normal-detector.js';
import type { SilenceDetector } from './silence-detector.js';

/** Which detector, with its own options beside the kind. */
export type DetectorSettings =
  | ({ readonly kind: 'phi-normal' } & PhiNormalOptions)
  | ({ readonly kind: 'phi-exponential' } & PhiExponentialOptions)
  | ({ readonly kind: 'deadline' } & DeadlineOptions);

export type DetectorKind = DetectorSettings['kind'];

/**
 * A new detector of the given kind. Default: `phi-normal` with its defaults.
 *
 * @throws DetectorSettingsError naming the setting that cannot be meant (`kind`, `threshold`, …)
 */
export function createFailureDetector(
  settings: DetectorSettings = { kind: 'phi-normal' },
): FailureDetector {
  return create(settings);
}

/**
 * The silence after which a detector of these settings convicts if the gaps are as given: what it would
 * answer itself, without the heartbeats.
 *
 * @throws DetectorSettingsError naming the setting that cannot be meant
 */
export const toleratedSilenceMs = (settings: DetectorSettings, gaps: GapStatistics): number =>
  create(settings).toleratedSilenceMs(gaps);

function create(settings: DetectorSettings): SilenceDetector {
  switch (settings.kind) {
    case 'phi-normal':
      return new PhiNormalDetector(settings);
    case 'phi-exponential':
      return new PhiExponentialDetector(settings);
    case 'deadline':
      return new DeadlineDetector(settings);
    default:
      return refuse(settings);
  }
}

function refuse(settings: never): never {
  const { kind } = settings as { kind: unknown };
  throw new DetectorSettingsError(
    'kind',
    `must be phi-normal, phi-exponential or deadline, not ${String(kind)}`,
  );
}
