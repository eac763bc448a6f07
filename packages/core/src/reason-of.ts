/** What was thrown, in words. The code of others throws anything: no message, no Error, nothing that becomes text. */

export function reasonOf(thrown: unknown): string {
  try {
    const said: unknown = thrown instanceof Error ? thrown.message : thrown;
    const text = typeof said === 'string' ? said : String(said);
    return text === '' ? 'no reason given' : text;
  } catch {
    return 'no reason that becomes text';
  }
}
