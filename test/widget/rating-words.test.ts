import assert from 'node:assert/strict';
import { ratingReasons } from '../../entities/conversations/answer-rating.entity.ts';
import { translations } from '../../widget/languages.ts';
import { ratingWords } from '../../widget/rating/words.ts';

describe('labels of ratings', () => {
  it('exist in every language of the widget, for every reason of the API, and are distinct', () => {
    assert.deepEqual(Object.keys(ratingWords).toSorted(), ['en', ...translations].toSorted());
    for (const [language, words] of Object.entries(ratingWords)) {
      const reasons = ratingReasons.map((reason) => words[reason]);
      assert.equal(new Set(reasons).size, ratingReasons.length, language);
      assert.ok(
        Object.values(words).every((text) => text.trim() !== ''),
        language,
      );
    }
  });
});
