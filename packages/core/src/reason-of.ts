/** What was thrown, in words. The code of others throws anything: no message, no Error, nothing that becomes text. */

export function reasonOf(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message : thrown;
  if (typeof said === 'string') return said === '' ? 'no reason given' : said;
  try {
    return String(said);
  } catch {
    return 'no reason that becomes text';
  }
}
