import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadFrame, Reader, Writer } from './bytes.js';
import { anyText } from './messages.testing.js';

const written = (write: (writer: Writer) => unknown): Uint8Array => {
  const writer = new Writer();
  write(writer);
  return writer.bytes();
};
const read = (...bytes: readonly number[]) => new Reader(Uint8Array.from(bytes));

describe('numbers', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(new Reader(written((w) => w.varint(value))).varint()).toBe(value);
      }),
    );
  });

  it.each([
    [0, 1],
    [127, 1],
    [128, 2],
    [16_383, 2],
    [16_384, 3],
    [2 ** 32, 5],
    [Number.MAX_SAFE_INTEGER, 8],
  ])('%d takes %d bytes', (value, length) => {
    expect(written((w) => w.varint(value))).toHaveLength(length);
  });

  it('are refused beyond the safe integers, and when they do not end', () => {
    const beyond = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10];
    expect(() => read(...beyond).varint()).toThrow(new BadFrame('has a number out of range'));
    const endless = Array.from({ length: 50 }, () => 0xff);
    expect(() => read(...endless).varint()).toThrow(new BadFrame('has a number out of range'));
    expect(() => read(0x80).varint()).toThrow(new BadFrame('ends too early'));
  });
});

describe('hex digits', () => {
  it('take half a byte each and come back', () => {
    const digits = '0123456789abcdef';
    const bytes = written((w) => w.hex(digits));
    expect([...bytes]).toEqual([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
    expect(new Reader(bytes).hex(8)).toBe(digits);
  });
});

describe('text', () => {
  it('is written as TextEncoder writes it, lone surrogates included', () => {
    const units = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.oneof(anyText, units), (text) => {
        const reader = new Reader(written((w) => w.text(text)));
        expect(reader.sized()).toEqual(new TextEncoder().encode(text));
      }),
    );
  });

  it.each(['', 'plain', 'größe', '漢字', '🦉 and 𝒳', '\u0000', '\uffff', '\ufeffmark', 'a\ud800b'])(
    'reads %j as TextDecoder does',
    (text) => {
      const bytes = new TextEncoder().encode(text);
      const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      expect(new Reader(written((w) => w.sized(bytes))).text()).toBe(expected);
    },
  );

  it('is read, or refused, exactly as a strict TextDecoder would', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const lead = fc.constantFrom(0x41, 0x80, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xff);
    const bytes = fc.array(fc.oneof(lead, fc.integer({ min: 0x80, max: 0xbf }), fc.nat(0xff)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(bytes, (raw) => {
        const given = Uint8Array.from(raw);
        let expected: string | undefined;
        try {
          expected = strict.decode(given);
        } catch {}
        const reader = new Reader(written((w) => w.sized(given)));
        if (expected === undefined) expect(() => reader.text()).toThrow(BadFrame);
        else expect(reader.text()).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is refused when it is longer than allowed, or than the frame', () => {
    const bytes = written((w) => w.text('x'.repeat(300)));
    expect(() => new Reader(bytes).text(256)).toThrow('has a text of more than 256 bytes');
    expect(new Reader(bytes).text(300)).toHaveLength(300);
    expect(() => new Reader(written((w) => w.text('x'.repeat(5_000)))).text()).toThrow(BadFrame);
    expect(() => read(5, 0x41).text()).toThrow('ends too early');
  });
});

describe('lists', () => {
  it('come back in order, and a reader skips what a later version appends to an item', () => {
    const bytes = written((w) => w.list(['a', 'b'], (each, item) => each.text(item).varint(7)));
    expect(new Reader(bytes).list((each) => each.text())).toEqual(['a', 'b']);
  });

  it('are refused when they claim more items than there are bytes', () => {
    const claim = written((w) => w.varint(Number.MAX_SAFE_INTEGER));
    expect(() => new Reader(claim).list((each) => each.byte())).toThrow(
      new BadFrame('has a list longer than itself'),
    );
    expect(() => read(2, 1, 0x41).list((each) => each.byte())).toThrow(BadFrame);
  });

  it('are refused when they have more items than there may be, before any is read', () => {
    const bytes = written((w) => w.list([1, 2, 3], (each, item) => each.varint(item)));
    const items: number[] = [];
    const take = (each: Reader) => items.push(each.varint());
    expect(() => new Reader(bytes).list(take, 2)).toThrow('has a list of more than 2 items');
    expect(items).toEqual([]);
    expect(new Reader(bytes).list((each) => each.varint(), 3)).toEqual([1, 2, 3]);
  });

  it.each([126, 127, 128, 16_383])('have items of any length, and lists in them: %i', (length) => {
    const items = [Uint8Array.of(1), new Uint8Array(length).fill(7), Uint8Array.of()];
    const lists = [items, [], items];
    const bytes = written((w) =>
      w.list(lists, (each, list) => each.list(list, (inner, item) => inner.raw(item))).byte(9),
    );
    const reader = new Reader(bytes);
    const rest = (each: Reader) => {
      const read: number[] = [];
      while (!each.isAtEnd) read.push(each.byte());
      return Uint8Array.from(read);
    };
    expect(reader.list((each) => each.list(rest))).toEqual(lists);
    expect(reader.byte()).toBe(9);
  });

  it('may be much longer than a writer has room for at first', () => {
    const items = Array.from({ length: 5_000 }, (_, i) => `item ${i}`);
    const bytes = written((w) => w.list(items, (each, item) => each.text(item)));
    expect(new Reader(bytes).list((each) => each.text())).toEqual(items);
  });
});
