/** What was found to be broken: the invariant of PROTOCOL by its number, and in which way. */
export interface Complaint {
  readonly rule: string;
  readonly text: string;
}

export const complaint = (rule: string, text: string): Complaint => ({ rule, text });
