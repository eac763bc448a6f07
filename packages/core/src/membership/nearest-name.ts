/** Which of some names somebody may have meant. */

export const nearestTo = (given: string, names: readonly string[]): string | undefined =>
  names.reduce<string | undefined>(
    (best, each) =>
      best === undefined || distance(each, given) < distance(best, given) ? each : best,
    undefined,
  );

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
