import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { detectLanguage, chooseSearchConfig } from '../../services/knowledge/ingestion/language.ts';
import { toSearchText } from '../../services/knowledge/search/search-text.ts';

describe('the language of a text:', () => {
  it('detectLanguage returns null for a text that is too short', async () => {
    assert.equal(await detectLanguage('The bicycle is returned to the station.'), 'en');
    assert.equal(await detectLanguage('Was kostet die Tageskarte für ein Fahrrad?'), 'de');
    assert.equal(await detectLanguage('Сколько стоит аренда велосипеда?'), 'ru');
    assert.equal(await detectLanguage('返金ポリシーについて'), 'ja');
    assert.equal(await detectLanguage('E-17'), null);
  });

  it('chooseSearchConfig returns the language’s configuration, or simple if there is none', () => {
    assert.equal(chooseSearchConfig('en'), 'english');
    assert.equal(chooseSearchConfig('pt-BR'), 'portuguese');
    assert.equal(chooseSearchConfig('nb'), 'norwegian');
    for (const language of ['ja', 'pl', 'cs', null]) assert.equal(chooseSearchConfig(language), 'simple');
  });
});

describe('toSearchText', () => {
  it('returns text unchanged for a language with a stemmer, but splits scripts without spaces into bigrams', async () => {
    assert.equal(toSearchText('Bikes are returned.', 'english'), 'Bikes are returned.');
    assert.equal(toSearchText('See 返金規約 here', 'english'), 'See  返金 金規 規約  here');
  });

  it('splits words into bigrams and trigrams for the configuration simple', async () => {
    assert.equal(
      toSearchText('返金 HARBOUR 12.50 E17 水', 'simple'),
      '返金 har arb rbo bou our 12 50 e17 水',
    );
    assert.equal(toSearchText('ｶﾞｿﾘﾝ', 'simple'), 'ガソ ソリ リン');
    assert.equal(toSearchText('คืนเงิน', 'simple'), 'คื ืน นเ เง งิ ิน');
  });

  it('returns mostly the same lexemes for inflected forms in the configuration simple', async () => {
    const countShared = (left: string, right: string) => {
      const words = new Set(toSearchText(left, 'simple').split(' '));
      return toSearchText(right, 'simple')
        .split(' ')
        .filter((word) => words.has(word)).length;
    };
    assert.equal(countShared('rowerami', 'rowerów'), 3);
    assert.equal(countShared('велосипедів', 'велосипед'), 7);
  });
});
