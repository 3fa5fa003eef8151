import assert from 'node:assert/strict';
import { diversifyByDocument } from '../../services/knowledge/vectors/document-diversity.ts';

const orderPages = (found: string, limit: number) =>
  diversifyByDocument(
    [...found].map((documentId) => ({ documentId })),
    limit,
  )
    .map(({ documentId }) => documentId)
    .join('');

describe('diversifyByDocument', () => {
  it('orders a document’s further passages after others with equal scores', () => {
    assert.equal(orderPages('aaabcd', 4), 'abac');
    assert.equal(orderPages('aaaaaabc', 3), 'aab');
  });

  it('keeps the order of one document, and of different ones', () => {
    assert.equal(orderPages('aaaa', 3), 'aaa');
    assert.equal(orderPages('abcd', 6), 'abcd');
  });
});
