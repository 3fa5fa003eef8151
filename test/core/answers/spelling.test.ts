import assert from 'node:assert/strict';
import { correctWord, findTypingError } from '../../../core/answers/spelling.ts';
import { listVariants } from '../../../services/knowledge/search/spelling-variants.ts';

describe('the typing error of a word', () => {
  for (const [typed, word, error] of [
    ['retrun', 'return', 'swapped'],
    ['ertrun', 'return', null],
    ['polcy', 'policy', 'length'],
    ['policcy', 'policy', 'doubled'],
    ['adress', 'address', 'doubled'],
    ['parkong', 'parking', 'wrong'],
    ['öffnungszieten', 'öffnungszeiten', 'swapped'],
    ['eturn', 'return', null],
    ['barking', 'parking', null],
    ['horse', 'house', null],
    ['form', 'from', 'swapped'],
    ['cast', 'coast', null],
    ['return', 'return', null],
    ['retrnu', 'returns', null],
    ['', 'a', null],
  ] as const)
    it(`is ${error} for “${typed}” in place of “${word}”`, () =>
      assert.equal(findTypingError(typed, word), error));
});

describe('a misspelled word', () => {
  const words = ['return', 'returns', 'retain', 'policy', 'address', 'opening', 'museums'];
  for (const [typed, word] of [
    ['retrun', 'return'],
    ['polcy', 'policy'],
    ['adress', 'address'],
    ['openning', 'opening'],
    ['musuem', 'museums'],
    ['refund', null],
    ['m22', null],
    ['ret', null],
  ] as const)
    it(`is corrected to ${word} for “${typed}”`, () => assert.equal(correctWord(typed, words), word));

  it('has each word with one typing error as a variant, and words with different accents', () => {
    const variants = listVariants('horario');
    assert.deepEqual(
      ['horaro', 'hroario', 'horarios', 'horerio', 'horário', 'borario', 'horario'].map((word) =>
        variants.includes(word),
      ),
      [true, true, true, true, true, false, false],
    );
    assert.ok(listVariants('estacao').includes('estação'));
    assert.ok(listVariants('возврта').includes('возврат'));
    assert.deepEqual(listVariants('停车费'), []);
  });

  it('has at most 2,000 variants', () => assert.ok(listVariants('aeiou'.repeat(5)).length <= 2000));
});
