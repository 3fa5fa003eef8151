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
  it('orders a document’s further passages after other documents’ passages with equal scores', () => {
    assert.equal(orderPages('aaabcd', 4), 'abac');
    assert.equal(orderPages('aaaaaabc', 3), 'aab');
  });

  it('keeps the order within one document, and of passages from different documents', () => {
    assert.equal(orderPages('aaaa', 3), 'aaa');
    assert.equal(orderPages('abcd', 6), 'abcd');
  });
});
