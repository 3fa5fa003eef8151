import { Type, type Static } from '@sinclair/typebox';
import { Nullable, OneOf, Strict, Uuid } from '../http/schemas.ts';
import { matchedBy } from '../../services/knowledge/search.service.ts';

export const KnowledgeSearchRequest = Strict(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^[^\\u0000]*$',
      description: 'A question in a person’s words; nothing in it is an operator.',
      examples: ['How long does delivery take?'],
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 6, description: 'Chunks at most.' }),
    ),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 20,
        description: 'Only documents that carry one of these; all when empty.',
      }),
    ),
  },
  { $id: 'KnowledgeSearchRequest', description: 'What to look for in a bot’s documents.' },
);

const KnowledgeSearchHit = Type.Object(
  {
    document_id: Uuid('The document.'),
    chunk_id: Uuid('The part of it.'),
    title: Type.String({ description: 'Title of the document.' }),
    source_url: Nullable(Type.String({ description: 'Where the document came from.' })),
    text: Type.String({ description: 'The text of the chunk.' }),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How well the chunk fits; the best come first.',
    }),
    matched_by: Type.Array(OneOf(matchedBy), { description: 'The ways in which it was found.' }),
  },
  { $id: 'KnowledgeSearchHit', description: 'A chunk that is relevant to the query.' },
);
export type KnowledgeSearchHit = Static<typeof KnowledgeSearchHit>;

export const KnowledgeSearchResponse = Type.Object(
  { items: Type.Array(KnowledgeSearchHit, { description: 'Empty where nothing is relevant.' }) },
  { $id: 'KnowledgeSearchResponse', description: 'The best chunks, as the bot itself would see them.' },
);
