import assert from 'node:assert/strict';
import { passagesOf } from '../../services/conversations/answering/passages-for-model.ts';
import type { SearchHit } from '../../services/knowledge/search/search-service.ts';

const hit = (
  chunkId: string,
  position: number,
  text: string,
  overrides: Partial<SearchHit> = {},
): SearchHit => ({
  documentId: 'guide',
  chunkId,
  title: 'Guide',
  headings: ['Prices'],
  sourceUrl: null,
  text,
  position,
  score: 1,
  matchedBy: ['text'],
  ...overrides,
});

describe('passages for a model', () => {
  it('are one where they are neighbours in a section, with what both have said once, cited as the better', () => {
    const second = hit('b', 1, 'It ends at midnight. Two people pay twenty.');
    const passages = passagesOf([second, hit('a', 0, 'A day pass costs twelve. It ends at midnight.')]);
    assert.deepEqual(
      passages.map(({ chunkId, text }) => ({ chunkId, text })),
      [{ chunkId: 'b', text: 'A day pass costs twelve. It ends at midnight. Two people pay twenty.' }],
    );
  });

  it('stay apart where they are of different documents or sections, or not next to each other', () => {
    const hits = [
      hit('a', 0, 'One.'),
      hit('b', 1, 'Two.', { headings: ['Terms'] }),
      hit('c', 1, 'Three.', { documentId: 'handbook' }),
      hit('d', 2, 'Four.'),
    ];
    assert.deepEqual(
      passagesOf(hits).map(({ chunkId }) => chunkId),
      ['a', 'b', 'c', 'd'],
    );
  });
});
