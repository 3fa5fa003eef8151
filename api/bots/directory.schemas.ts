import { Type, type Static } from '@sinclair/typebox';
import { Strict } from '../http/schemas/schemas.ts';

export const DirectoryResolveRequest = Strict(
  {
    category: Type.Optional(
      Type.String({
        maxLength: 100,
        default: '',
        description: 'What the visitor has chosen first; empty where choices have no category.',
        examples: ['Uptown'],
      }),
    ),
    choice: Type.String({
      minLength: 1,
      maxLength: 150,
      description: 'The name of the choice; capitals and spaces do not matter.',
      examples: ['Dr. Rivera'],
    }),
  },
  { $id: 'DirectoryResolveRequest', description: 'A choice of the directory, as a visitor writes it.' },
);

export const DirectoryResolveResponse = Type.Object(
  {
    category: Type.String({ description: 'The category, as the directory writes it.' }),
    choice: Type.String({ description: 'The choice, as the directory writes it.' }),
    link: Type.String({
      description: 'What the choice leads to; empty where it has no link.',
      examples: ['https://book.example.com/rivera'],
    }),
  },
  { $id: 'DirectoryResolveResponse', description: 'What a choice of the directory leads to.' },
);
export type DirectoryResolveResponse = Static<typeof DirectoryResolveResponse>;
