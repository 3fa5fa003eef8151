import { Type } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/errors/error-codes.ts';
import { Nullable, StringEnum } from '../http/schemas/schemas.ts';

export const HealthRead = Type.Object(
  {
    status: StringEnum(['ok', 'failing'], { description: 'failing: at least one part does not respond.' }),
    checks: Type.Record(Type.String(), StringEnum(['ok', 'failing', 'unavailable']), {
      description:
        'The checked parts; empty for liveness. Workflows and workers may be unavailable while all other parts are ready; background work then waits. An entry such as `workers: mail` names work that no worker serves.',
    }),
  },
  { $id: 'HealthRead', description: 'Whether the service, or a part of it, is available.' },
);

const ChannelWay = StringEnum(['provider', 'kept', 'none'], {
  description:
    'provider: alerts are sent as messages. kept: no account is configured, so alerts are stored with the emails, where the operator can read them. none: alerts are not sent.',
});

export const MetaRead = Type.Object(
  {
    name: Type.String({ description: 'Name of the service.', examples: ['Parley'] }),
    version: Type.String({ description: 'The current API version.', examples: ['2026-09-03'] }),
    limits: Type.Record(Type.String(), Type.Integer(), {
      description: 'Limits of this installation.',
    }),
    scopes: Type.Array(Type.String(), { description: 'All scopes of API keys.' }),
    usable_scopes: Type.Array(Type.String(), {
      description: 'Scopes that an operation of this version uses; all other scopes have no effect yet.',
    }),
    languages: Type.Array(Type.String(), {
      description: 'Language tags of Parley’s own texts for visitors, in the widget and in emails.',
    }),
    sends_mail: Type.Boolean({
      description: 'Whether a mail server is configured, so that emails are sent.',
    }),
    mail_page: Nullable(
      Type.String({
        description:
          'Path of the page with undelivered emails, which requires the operator’s token; null if there is no such page.',
        examples: ['/dev/mail'],
      }),
    ),
    alert_channels: Type.Object(
      { telegram: ChannelWay, whatsapp: ChannelWay },
      { description: 'The delivery of alerts, by messaging app.' },
    ),
    identity_providers: Type.Array(Type.String(), { description: 'The available sign-in methods.' }),
  },
  { $id: 'MetaRead', description: 'The configuration and limits of this installation.' },
);

export const ApiVersionRead = Type.Object(
  {
    version: Type.String({
      description: 'Date of the version; clients use this date to pin the version.',
      examples: ['2026-09-03'],
    }),
    changes: Type.Array(Type.String(), { description: 'Changes from the previous version.' }),
    deprecated_at: Nullable(
      Type.String({ format: 'date', description: 'Date on which the version became deprecated.' }),
    ),
    sunset_at: Nullable(
      Type.String({ format: 'date', description: 'Date on which the version is removed.' }),
    ),
  },
  { $id: 'ApiVersionRead', description: 'A version that can be pinned with X-API-Version.' },
);

export const ErrorPage = Type.Object(
  {
    code: StringEnum(Object.keys(errorCodes) as ErrorCode[], { description: 'The code of the error.' }),
    status: Type.Integer({ description: 'The HTTP status of the response.' }),
    title: Type.String({ description: 'The meaning, in a few words.' }),
    help: Type.String({ description: 'Steps to fix the error.' }),
  },
  { $id: 'ErrorPage', description: 'The meaning of an error code.' },
);
