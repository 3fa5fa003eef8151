import { Type, type Static } from '@sinclair/typebox';
import { Strict } from '../http/schemas/schemas.ts';

export const DirectoryResolveRequest = Strict(
  {
    category: Type.Optional(
      Type.String({
        maxLength: 100,
        default: '',
        description: 'The chosen category; empty if choices have no category.',
        examples: ['Uptown'],
      }),
    ),
    choice: Type.String({
      minLength: 1,
      maxLength: 150,
      description: 'The name of the choice, regardless of case and spaces.',
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
      description: 'The link of the choice; empty if the choice has no link.',
      examples: ['https://book.example.com/rivera'],
    }),
  },
  { $id: 'DirectoryResolveResponse', description: 'Target of a choice in the directory.' },
);
export type DirectoryResolveResponse = Static<typeof DirectoryResolveResponse>;
