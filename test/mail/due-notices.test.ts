import assert from 'node:assert/strict';
import { describeFailedDocument, isContentNoticeDue } from '../../services/mail/notices/due-notices.ts';

describe('the notice about failed documents', () => {
  const HOUR = 3600;
  const first = { notifiedSecondsAgo: null, oldestSeconds: 600, isReading: false };
  const cases = [
    ['is due ten minutes after the first failure', {}, true],
    ['waits within ten minutes of the first failure', { oldestSeconds: 599 }, false],
    ['waits while documents are processed', { isReading: true }, false],
    ['waits an hour at most for documents in progress', { isReading: true, oldestSeconds: HOUR + 1 }, true],
    ['waits for a day after the previous notice', { notifiedSecondsAgo: 24 * HOUR }, false],
    ['is due a day after the previous notice', { notifiedSecondsAgo: 24 * HOUR + 1 }, true],
  ] as const;
  for (const [what, difference, isDue] of cases)
    it(what, () => {
      assert.equal(isContentNoticeDue({ ...first, ...difference }), isDue);
    });

  it('names a document by its title, URL or file, and quotes the first line of the reason', () => {
    const nameless = { title: '', sourceUrl: null, filename: null, errorMessage: null };
    assert.equal(describeFailedDocument(nameless), 'A document: The document could not be read.');
    assert.equal(
      describeFailedDocument({ ...nameless, filename: 'a.pdf', errorMessage: 'Broken.\nat line 1' }),
      'a.pdf: Broken.',
    );
    assert.equal(
      describeFailedDocument({
        ...nameless,
        title: 'Prices',
        sourceUrl: 'https://x.example',
        errorMessage: 'Gone.',
      }),
      'Prices: Gone.',
    );
  });
});
