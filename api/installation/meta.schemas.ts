import { Type } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/errors/error-codes.ts';
import { Nullable, OneOf } from '../http/schemas/schemas.ts';

export const HealthRead = Type.Object(
  {
    status: OneOf(['ok', 'failing'], { description: 'failing: at least one part does not answer.' }),
    checks: Type.Record(Type.String(), OneOf(['ok', 'failing', 'unavailable']), {
      description:
        'Each part that was asked; empty for mere liveness. Workflows may be unavailable while all else is ready: what they would do waits.',
    }),
  },
  { $id: 'HealthRead', description: 'Whether the service, or a part of it, is up.' },
);

const ChannelWay = OneOf(['provider', 'kept', 'none'], {
  description:
    'provider: as messages. kept: no account is set, so they stay beside the mails, which the operator can look at. none: not at all.',
});

export const MetaRead = Type.Object(
  {
    name: Type.String({ description: 'Name of the service.', examples: ['Parley'] }),
    version: Type.String({ description: 'The current API version.', examples: ['2026-09-03'] }),
    limits: Type.Record(Type.String(), Type.Integer(), {
      description: 'Limits that hold on this installation.',
    }),
    scopes: Type.Array(Type.String(), { description: 'What API keys can be allowed to do.' }),
    usable_scopes: Type.Array(Type.String(), {
      description: 'Those of them that an operation of this version asks for: the others allow nothing yet.',
    }),
    languages: Type.Array(Type.String(), {
      description:
        'Language tags of the words that visitors get from Parley itself, in the widget and in mails.',
    }),
    sends_mail: Type.Boolean({ description: 'Whether a mail server is set, so that mails go out.' }),
    mail_page: Nullable(
      Type.String({
        description:
          'Path of the page of mails that no server takes, which asks for a token of the operator; null where there is none.',
        examples: ['/dev/mail'],
      }),
    ),
    alert_channels: Type.Object(
      { telegram: ChannelWay, whatsapp: ChannelWay },
      { description: 'How alerts go out, by messaging app.' },
    ),
    identity_providers: Type.Array(Type.String(), { description: 'What people can sign in with.' }),
  },
  { $id: 'MetaRead', description: 'What this installation is and allows.' },
);

export const ApiVersionRead = Type.Object(
  {
    version: Type.String({ description: 'Its date, by which it is pinned.', examples: ['2026-09-03'] }),
    changes: Type.Array(Type.String(), { description: 'What is different from the version before.' }),
    deprecated_at: Nullable(Type.String({ format: 'date', description: 'From when it should be left.' })),
    sunset_at: Nullable(Type.String({ format: 'date', description: 'From when it is gone.' })),
  },
  { $id: 'ApiVersionRead', description: 'A version that can be pinned with X-API-Version.' },
);

export const ErrorPage = Type.Object(
  {
    code: OneOf(Object.keys(errorCodes) as ErrorCode[], { description: 'The code of the error.' }),
    status: Type.Integer({ description: 'The HTTP status that it comes with.' }),
    title: Type.String({ description: 'What it means, in a few words.' }),
    help: Type.String({ description: 'What to do about it.' }),
  },
  { $id: 'ErrorPage', description: 'What an error code means.' },
);
