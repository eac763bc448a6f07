/** All studies, by name. */
import { centralStudy } from './central/central-study.js';
import { crashStudy } from './crash-study.js';
import { cutOffStudy } from './cut-off-study.js';
import { lossStudy } from './loss-study.js';
import { oneWayStudy } from './one-way-study.js';
import { probeStudy } from './probe-study.js';
import { spreadStudy } from './spread/spread-study.js';
import { stallStudy } from './stall-study.js';
import type { Study, StudyResult, StudyTask } from './study.js';
import { thresholdStudy } from './threshold-study.js';

export const STUDIES: readonly Study[] = [
  ...[
    cutOffStudy,
    lossStudy,
    stallStudy,
    oneWayStudy,
    spreadStudy,
    centralStudy,
    probeStudy,
    crashStudy,
    thresholdStudy,
  ],
];

export function studyNamed(name: string): Study {
  const found = STUDIES.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `there is no study '${name}'; there are ${STUDIES.map((each) => each.name).join(', ')}`,
  );
}

/** What a thread does with a task. */
export const performTask = (task: StudyTask): StudyResult | Promise<StudyResult> =>
  studyNamed(task.study).perform(task);
