import { findQuotes } from '../../../core/answers/passage-quotes.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';

describe('findQuotes', () => {
  it('blocks the event loop for one of thirty long Chinese questions at a time', async () => {
    const questions = Array.from({ length: 30 }, (_question, first) =>
      Array.from({ length: 1000 }, (_, at) =>
        String.fromCodePoint(0x4e00 + ((at * 31 + first * 997) % 20_000)),
      ).join(''),
    );
    const passage = {
      title: '料金',
      headings: [],
      text: '自転車の貸出料金は一日十二ユーロです。',
      sourceUrl: null,
    };
    const passages = [{ ...passage, chunkId: '1', documentId: '1', score: 1 }];
    await findQuotes(questions[0]!, passages);
    await assertLoopBlockedBelow(40, () =>
      Promise.all(questions.map((question) => findQuotes(question, passages))),
    );
  });
});
