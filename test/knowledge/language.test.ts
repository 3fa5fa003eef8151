import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { detectLanguage, chooseSearchConfig } from '../../services/knowledge/ingestion/language.ts';
import { toSearchText } from '../../services/knowledge/search/search-text.ts';

describe('The language of a text', () => {
  it('is detected where there is enough of it', async () => {
    assert.equal(await detectLanguage('The bicycle is returned to the station.'), 'en');
    assert.equal(await detectLanguage('Was kostet die Tageskarte für ein Fahrrad?'), 'de');
    assert.equal(await detectLanguage('Сколько стоит аренда велосипеда?'), 'ru');
    assert.equal(await detectLanguage('返金ポリシーについて'), 'ja');
    assert.equal(await detectLanguage('E-17'), null);
  });

  it('names the search configuration, or simple', () => {
    assert.equal(chooseSearchConfig('en'), 'english');
    assert.equal(chooseSearchConfig('pt-BR'), 'portuguese');
    assert.equal(chooseSearchConfig('nb'), 'norwegian');
    for (const language of ['ja', 'pl', 'cs', null]) assert.equal(chooseSearchConfig(language), 'simple');
  });
});

describe('The text to search', () => {
  it('is the text itself under a stemmer, with pairs of characters for scripts without spaces', async () => {
    assert.equal(toSearchText('Bikes are returned.', 'english'), 'Bikes are returned.');
    assert.equal(toSearchText('See 返金規約 here', 'english'), 'See  返金 金規 規約  here');
  });

  it('mixes pairs and trigrams under simple', async () => {
    assert.equal(
      toSearchText('返金 HARBOUR 12.50 E17 水', 'simple'),
      '返金 har arb rbo bou our 12 50 e17 水',
    );
    assert.equal(toSearchText('ｶﾞｿﾘﾝ', 'simple'), 'ガソ ソリ リン');
    assert.equal(toSearchText('คืนเงิน', 'simple'), 'คื ืน นเ เง งิ ิน');
  });

  it('lets inflected forms share most of their lexemes', async () => {
    const shared = (left: string, right: string) => {
      const words = new Set(toSearchText(left, 'simple').split(' '));
      return toSearchText(right, 'simple')
        .split(' ')
        .filter((word) => words.has(word)).length;
    };
    assert.equal(shared('rowerami', 'rowerów'), 3);
    assert.equal(shared('велосипедів', 'велосипед'), 7);
  });
});
