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
      description: 'The name of the choice. Case and spaces are ignored.',
      examples: ['Dr. Rivera'],
    }),
  },
  { $id: 'DirectoryResolveRequest', description: 'A choice in the directory, as the visitor entered it.' },
);

export const DirectoryResolveResponse = Type.Object(
  {
    category: Type.String({ description: 'The category, as written in the directory.' }),
    choice: Type.String({ description: 'The choice, as written in the directory.' }),
    link: Type.String({
      description: 'The link of the choice; empty if the choice has no link.',
      examples: ['https://book.example.com/rivera'],
    }),
  },
  { $id: 'DirectoryResolveResponse', description: 'The link of a choice in the directory.' },
);
export type DirectoryResolveResponse = Static<typeof DirectoryResolveResponse>;
