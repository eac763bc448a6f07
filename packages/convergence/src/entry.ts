/**
 * A member in canonical form, as states hold it: its row sorted, its fingerprint and its places on
 * the rings worked out at most once. An entry is a value; what it remembers is a function of what
 * it says, so one entry may sit in any number of states and at any number of nodes of one process.
 */
import { Fingerprint } from './fingerprint.js';
import { murmur32 } from './hash.js';
import { type Member, RANK, type Row, type Status } from './member.js';
import { type NodeKey, sortKeys } from './node-key.js';

function canonicalRow(row: Row, observer: NodeKey): Row {
  const { unreachable } = row;
  if (unreachable.length === 0) return row;
  const sorted = sortKeys(unreachable).filter((subject) => subject !== observer);
  const same = sorted.length === unreachable.length && sorted.every((k, i) => k === unreachable[i]);
  return same ? row : { ...row, unreachable: sorted };
}

export class Entry implements Member {
  readonly key: NodeKey;
  readonly status: Status;
  readonly upNumber: number | null;
  readonly row: Row;
  readonly roles: readonly string[];
  readonly appVersion: string;
  #fingerprint: Fingerprint | null = null;
  #ringHashes: number[];

  private constructor(member: Member, ringHashes: number[]) {
    this.key = member.key;
    this.status = member.status;
    this.upNumber = member.upNumber;
    this.row = canonicalRow(member.row, member.key);
    this.roles = member.roles;
    this.appVersion = member.appVersion;
    this.#ringHashes = ringHashes;
  }

  static of(member: Member): Entry {
    return member instanceof Entry ? member : new Entry(member, []);
  }

  /** The same member with another status, number or row. */
  with(change: Partial<Pick<Member, 'status' | 'upNumber' | 'row'>>): Entry {
    return new Entry({ ...this, ...change }, this.#ringHashes);
  }

  /** The same member whose row names nobody in `gone`; the version stays (PROTOCOL "Merge"). */
  withoutNames(gone: (key: NodeKey) => boolean): Entry {
    if (!this.row.unreachable.some(gone)) return this;
    const unreachable = this.row.unreachable.filter((subject) => !gone(subject));
    return this.with({ row: { ...this.row, unreachable } });
  }

  /** Covers every field: two entries with equal fingerprints are the same entry. */
  get fingerprint(): Fingerprint {
    this.#fingerprint ??= Fingerprint.of(encodingOf(this));
    return this.#fingerprint;
  }

  /**
   * Where the key falls on each of the first `rings` rings; signed, which is kept more compactly.
   */
  ringHashes(rings: number): readonly number[] {
    const hashes = this.#ringHashes;
    while (hashes.length < rings) hashes.push(murmur32(this.key, hashes.length) | 0);
    return hashes;
  }

  /** Spares this entry the hashing that an older entry of the same member has done. */
  inherit(older: Entry): this {
    if (this.#ringHashes.length < older.#ringHashes.length) this.#ringHashes = older.#ringHashes;
    return this;
  }
}

/** The canonical text of an entry; JSON keeps the fields apart whatever they contain. */
function encodingOf(member: Member): string {
  const { key, status, upNumber, row, roles, appVersion } = member;
  const { version, unreachable, unwell, cutOff, leases = [] } = row;
  const flags = (unwell ? 1 : 0) + (cutOff ? 2 : 0);
  const fields = [key, RANK[status], upNumber, version, unreachable, flags, roles, appVersion];
  // Last, and not there when there are none, so that nothing else is encoded differently for them.
  if (leases.length > 0) fields.push(leases);
  return JSON.stringify(['member', ...fields]);
}

/**
 * The canonical form of a member. States keep such an object as it is, so a caller that holds many
 * states of one process (a simulator) can share entries by content.
 */
export const canonicalMember = (member: Member): Member => Entry.of(member);
