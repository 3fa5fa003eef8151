import assert from 'node:assert/strict';
import { toPassages } from '../../services/conversations/answering/passages-for-model.ts';
import type { SearchHit } from '../../services/knowledge/search/search-service.ts';

const buildHit = (
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
  it('are merged if they are adjacent in a section, without repeated sentences and with the id of the better hit', () => {
    const second = buildHit('b', 1, 'It ends at midnight. Two people pay twenty.');
    const passages = toPassages([second, buildHit('a', 0, 'A day pass costs twelve. It ends at midnight.')]);
    assert.deepEqual(
      passages.map(({ chunkId, text }) => ({ chunkId, text })),
      [{ chunkId: 'b', text: 'A day pass costs twelve. It ends at midnight. Two people pay twenty.' }],
    );
  });

  it('stay separate if they are from different documents or sections, or are not adjacent', () => {
    const hits = [
      buildHit('a', 0, 'One.'),
      buildHit('b', 1, 'Two.', { headings: ['Terms'] }),
      buildHit('c', 1, 'Three.', { documentId: 'handbook' }),
      buildHit('d', 2, 'Four.'),
    ];
    assert.deepEqual(
      toPassages(hits).map(({ chunkId }) => chunkId),
      ['a', 'b', 'c', 'd'],
    );
  });
});
