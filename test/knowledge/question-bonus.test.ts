import assert from 'node:assert/strict';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { boostQuestions, compareQuestions } from '../../services/knowledge/search/question-bonus.ts';

const QUESTION = 'Do you rent tandems?';
const buildHit = (title: string, worth: number, isQa = false) => ({
  title,
  isQa,
  score: worth,
  worth: new Map([['text', worth]]),
});

describe('compareQuestions', () => {
  it('returns 1 for the same words, 0 for unrelated words, and more for more similar questions', () => {
    assert.equal(compareQuestions(QUESTION, 'do you RENT tandems'), 1);
    assert.equal(compareQuestions(QUESTION, 'When are you open?'), 0);
    const inflected = compareQuestions(QUESTION, 'How do I rent a tandem?');
    assert.ok(inflected > compareQuestions(QUESTION, 'Do you rent cars?'), String(inflected));
    assert.equal(compareQuestions('', ''), 0);
  });

  it('compares questions without spaces', () => {
    assert.ok(compareQuestions('营业时间是什么？', '营业时间？') > 0.5);
  });
});

describe('boostQuestions', () => {
  it('moves up a Q&A entry with the same question and raises its score, but not a page with the same title', async () => {
    const hits = [buildHit('Prices', 0.6), buildHit(QUESTION, 0.5), buildHit(QUESTION, 0.5, true)];
    const boosted = await boostQuestions(hits, QUESTION);
    assert.deepEqual(
      boosted.map(({ isQa, score }) => [isQa, score]),
      [
        [true, 0.75],
        [false, 0.6],
        [false, 0.5],
      ],
    );
  });

  it('keeps the order and scores of entries with other questions, and limits scores to 1', async () => {
    const hits = [buildHit('Prices', 0.6), buildHit('When are you open?', 0.5, true)];
    assert.deepEqual(await boostQuestions(hits, QUESTION), hits);
    assert.equal((await boostQuestions([buildHit(QUESTION, 0.9, true)], QUESTION))[0]?.score, 1);
  });

  it('blocks the event loop for less than 50 ms with 100 questions of ligatures', () => {
    const hits = Array.from({ length: 100 }, (_, index) => buildHit('\ufdfa'.repeat(490) + index, 0.5, true));
    return assertLoopBlockedBelow(50, () => boostQuestions(hits, QUESTION));
  });
});
