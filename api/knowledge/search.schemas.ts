import { Type, type Static } from '@sinclair/typebox';
import { Nullable, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';
import { Tag } from './document.resource.ts';
import { matchedBy } from '../../services/knowledge/search/search-service.ts';

export const KnowledgeSearchRequest = Strict(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^[^\\u0000]*$',
      description: 'A question in natural language. There are no search operators.',
      examples: ['How long does delivery take?'],
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 6, description: 'Maximum number of chunks.' }),
    ),
    tags: Type.Optional(
      Type.Array(Tag, {
        maxItems: 20,
        description: 'Only documents with one of these tags; all documents if empty.',
      }),
    ),
  },
  { $id: 'KnowledgeSearchRequest', description: 'A search in a bot’s documents.' },
);

const hitProperties = {
  document_id: Uuid('The document.'),
  chunk_id: Uuid('The chunk.'),
  title: Type.String({ description: 'Title of the document.' }),
  source_url: Nullable(Type.String({ description: 'The document’s source.' })),
  text: Type.String({ description: 'The text of the chunk.' }),
  score: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The chunk’s score; results are sorted by it, best first.',
  }),
  matched_by: Type.Array(StringEnum(matchedBy), { description: 'The searches that found the chunk.' }),
};

const KnowledgeSearchHit = Type.Object(hitProperties, {
  $id: 'KnowledgeSearchHit',
  description: 'A chunk that is relevant to the query.',
});
export type KnowledgeSearchHit = Static<typeof KnowledgeSearchHit>;

const KnowledgeNearHit = Type.Object(
  {
    ...hitProperties,
    relevance: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The relevance of the chunk to the query; below `relevance_line`.',
    }),
  },
  {
    $id: 'KnowledgeNearHit',
    description: 'A chunk that shares words with the query, but is not relevant to it.',
  },
);
export type KnowledgeNearHit = Static<typeof KnowledgeNearHit>;

export const KnowledgeSearchResponse = Type.Object(
  {
    items: Type.Array(KnowledgeSearchHit, {
      description: 'The relevant chunks; empty if nothing is relevant.',
    }),
    searched_for: Type.String({
      description: 'The search text: the query itself, since no conversation precedes it.',
    }),
    nearest: Type.Optional(
      Type.Array(KnowledgeNearHit, {
        description:
          'If nothing is relevant: the nearest chunks, which the bot itself does not see. Absent if no chunk contains a word of the query or has a vector.',
      }),
    ),
    relevance_line: Type.Optional(
      Type.Number({ description: 'Present with `nearest`: the minimum `relevance` of a relevant chunk.' }),
    ),
  },
  { $id: 'KnowledgeSearchResponse', description: 'The best chunks, as the bot itself would see them.' },
);
