import assert from 'node:assert/strict';
import {
  detectTextLanguageCode,
  normalize,
  normalizeQuestion,
  truncateQuestion,
} from '../../../core/answers/terms.ts';

describe('truncateQuestion', () => {
  for (const [name, question, length] of [
    ['2,000 letters', 'a'.repeat(3000), 2000],
    ['1,000 ideographs', '字'.repeat(3000), 1000],
    ['1,000 Korean syllables', '글'.repeat(3000), 1000],
    ['250 ideographs after 1,500 letters', 'a'.repeat(1500) + '字'.repeat(1000), 1750],
    ['800 letters after 600 ideographs', '字'.repeat(600) + 'a'.repeat(3000), 1400],
    ['667 pairs of an ideograph and a letter', '字a'.repeat(1000), 1333],
  ] as const)
    it(`returns ${name}`, () => {
      assert.equal(truncateQuestion(question), question.slice(0, length));
      assert.equal(normalizeQuestion(question), question.slice(0, length));
    });

  it('returns a question of 1,000 ideographs completely', () => {
    assert.equal(truncateQuestion('字'.repeat(1000)).length, 1000);
  });
});

describe('detectTextLanguageCode', () => {
  const english = ' What is the price of the day pass and how do I pay for it?';

  it('reads 2,000 characters of the normalized text', () => {
    assert.equal(detectTextLanguageCode('\ufdfa'.repeat(100) + english), 'en');
    assert.equal(detectTextLanguageCode('\ufdfa'.repeat(112) + english), null);
  });
});

describe('normalize', () => {
  for (const [text, normalized] of [
    ['ABC 自転車の貸出', 'abc 自転車の貸出'],
    ['がガ글ー', 'がガ글ー'],
    ['か\u3099', 'が'],
    ['ﾊﾟﾝ', 'パン'],
    ['Ünï字', 'uni字'],
  ] as const)
    it(`returns ${normalized} for ${text}`, () => assert.equal(normalize(text), normalized));
});
