import { Type } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/error-codes.ts';
import { Nullable, OneOf } from '../http/schemas.ts';

export const HealthRead = Type.Object(
  {
    status: OneOf(['ok', 'failing']),
    checks: Type.Record(Type.String(), OneOf(['ok', 'failing']), {
      description: 'Each part that was asked; empty for mere liveness.',
    }),
  },
  { $id: 'HealthRead', description: 'Whether the service, or a part of it, is up.' },
);

export const MetaRead = Type.Object(
  {
    name: Type.String({ examples: ['Parley'] }),
    version: Type.String({ description: 'The current API version.', examples: ['2026-09-03'] }),
    limits: Type.Record(Type.String(), Type.Integer(), {
      description: 'Limits that hold on this installation.',
    }),
    scopes: Type.Array(Type.String()),
    identity_providers: Type.Array(Type.String()),
  },
  { $id: 'MetaRead', description: 'What this installation is and allows.' },
);

export const ApiVersionRead = Type.Object(
  {
    version: Type.String(),
    changes: Type.Array(Type.String()),
    deprecated_at: Nullable(Type.String({ format: 'date' })),
    sunset_at: Nullable(Type.String({ format: 'date' })),
  },
  { $id: 'ApiVersionRead', description: 'A version that can be pinned with X-API-Version.' },
);

export const ErrorPage = Type.Object(
  {
    code: OneOf(Object.keys(errorCodes) as ErrorCode[]),
    status: Type.Integer(),
    title: Type.String(),
    help: Type.String({ description: 'What to do about it.' }),
  },
  { $id: 'ErrorPage', description: 'What an error code means.' },
);
