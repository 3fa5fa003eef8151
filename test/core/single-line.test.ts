import assert from 'node:assert/strict';
import { assertCpuBelow } from '../support/cost.ts';
import { describeLineFault, toSingleLine } from '../../core/text/single-line.ts';

describe('single lines:', () => {
  it('toSingleLine replaces control characters, direction overrides and lone surrogates with one space', () => {
    assert.equal(
      toSingleLine(' Ada\r\n\u0007\u009b \u202eLove\u2066lace\u2069\u2028\ud800 '),
      'Ada Love lace',
    );
  });

  it('toSingleLine leaves emoji, Arabic and Persian unchanged', () => {
    for (const name of ['Ñandú 😊', 'مقهى الورد', 'می‌خواهم', '👩‍👩‍👧', 'שלום\u200f'])
      assert.equal(toSingleLine(name), name);
  });

  it('describeLineFault checks a million characters in less than 100 ms', () => {
    const check = () => describeLineFault('\u200b'.repeat(1_000_000), { mayBeBlank: false });
    assert.equal(check(), 'must contain visible characters');
    assertCpuBelow(100, check);
  });
});
