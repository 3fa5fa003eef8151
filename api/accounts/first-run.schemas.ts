import { Type, type Static } from '@sinclair/typebox';
import { SingleLine, Strict } from '../http/schemas/schemas.ts';
import { Email, FullName, NewPassword } from './auth.schemas.ts';

export const FirstRunRead = Type.Object(
  {
    is_open: Type.Boolean({
      description: 'Whether the first owner can be set up, with the link that `npm start` prints.',
    }),
  },
  { $id: 'FirstRunRead', description: 'The state of the setup of this installation.' },
);
export type FirstRunRead = Static<typeof FirstRunRead>;

export const FirstRunRequest = Strict(
  {
    token: Type.String({
      minLength: 16,
      maxLength: 512,
      description: 'The token of the link that `npm start` prints.',
      examples: ['c2l4dGVlbi1jaGFyYWN0ZXJzLWF0LWxlYXN0'],
    }),
    full_name: FullName,
    email: Email,
    password: NewPassword,
    workspace_name: SingleLine({
      minLength: 2,
      maxLength: 255,
      description: 'Name of the workspace.',
      examples: ['Acme'],
    }),
  },
  { $id: 'FirstRunRequest', description: 'The first owner and the workspace.' },
);
export type FirstRunRequest = Static<typeof FirstRunRequest>;
