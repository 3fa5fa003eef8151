import { Type, type Static } from '@sinclair/typebox';
import { DateTime, Nullable, PageParameters, StringEnum, Uuid } from '../http/schemas/schemas.ts';

const outcomes = ['succeeded', 'failed'] as const;

export const RequestLogQuery = Type.Object(
  {
    ...PageParameters,
    request_id: Type.Optional(
      Type.String({
        pattern: '^req_[0-9a-f]{32}$',
        maxLength: 36,
        description: 'Only this request: the value of its `X-Request-ID`.',
        examples: ['req_019a0c0e5d7c7b2a8f3e4d5c6b7a8091'],
      }),
    ),
    api_key_id: Type.Optional(Uuid('Only requests with this key.')),
    caller: Type.Optional(
      StringEnum(['key', 'person'] as const, {
        description: 'Only requests with API keys, or only requests by people.',
      }),
    ),
    operation: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only requests for this operation.',
        examples: ['createBot'],
      }),
    ),
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 599, description: 'Only requests with this HTTP status.' }),
    ),
    outcome: Type.Optional(
      StringEnum(outcomes, { description: '`failed`: status 400 or above, or no response.' }),
    ),
  },
  { additionalProperties: false },
);

export const LoggedRequestRead = Type.Object(
  {
    id: Uuid('The entry’s id.'),
    request_id: Type.String({
      description: '`X-Request-ID` of the response.',
      examples: ['req_019a0c0e5d7c7b2a8f3e4d5c6b7a8091'],
    }),
    api_key_id: Nullable(Uuid('The API key that sent the request; null for a signed-in person.')),
    api_key_name: Nullable(
      Type.String({
        description: 'The key’s current name; null if the key was deleted, or if a person sent the request.',
      }),
    ),
    user_id: Nullable(Uuid('The signed-in person who sent the request; null for an API key.')),
    operation: Type.String({ description: 'Operation id.', examples: ['createBot'] }),
    method: Type.String({ description: 'HTTP method.', examples: ['POST'] }),
    path: Type.String({
      description: 'Path with the ids of resources, and without the query.',
      examples: ['/api/bots'],
    }),
    status: Nullable(
      Type.Integer({ description: 'HTTP status; null if the connection closed before the response.' }),
    ),
    error_code: Nullable(
      Type.String({
        description: 'Error code; null if the request succeeded, or ended without a response.',
        examples: ['not_found'],
      }),
    ),
    error_subject: Nullable(
      Type.String({
        description:
          'What was wrong: the paths of fields, the missing scope or role, or the name of the limit. Null if the error code is sufficient. `*` stands for a field name that the API does not know; the log stores neither this name nor any value.',
        examples: ['lead_capture_config.fields[0].key'],
      }),
    ),
    duration_ms: Type.Integer({ minimum: 0, description: 'Milliseconds from arrival to the last byte.' }),
    created_at: DateTime('Time at which the request arrived.'),
  },
  {
    $id: 'LoggedRequestRead',
    description: 'An API request of a workspace, without the bodies of request and response.',
  },
);
export type LoggedRequestRead = Static<typeof LoggedRequestRead>;
