import assert from 'node:assert/strict';
import { diversifyByDocument } from '../../services/knowledge/vectors/document-diversity.ts';

const pages = (found: string, limit: number) =>
  diversifyByDocument(
    [...found].map((documentId) => ({ documentId })),
    limit,
  )
    .map(({ documentId }) => documentId)
    .join('');

describe('spread', () => {
  it('puts a further passage of a document behind others that are as good', () => {
    assert.equal(pages('aaabcd', 4), 'abac');
    assert.equal(pages('aaaaaabc', 3), 'aab');
  });

  it('keeps the order of one document, and of different ones', () => {
    assert.equal(pages('aaaa', 3), 'aaa');
    assert.equal(pages('abcd', 6), 'abcd');
  });
});
