/** A study as the command runs it: all of its tasks, one after another, and its report. */
import type { Study, StudyFlags, StudyReport, StudyResult } from './study.js';

export async function reported(
  study: Study,
  flags: StudyFlags,
): Promise<{ readonly results: readonly StudyResult[]; readonly report: StudyReport }> {
  const results: StudyResult[] = [];
  for (const task of study.tasks(flags)) results.push(await study.perform(task));
  return { results, report: study.report(results) };
}
