import { Type } from '@sinclair/typebox';
import type { ContentSpec } from '../http/operation.ts';

export const CalendarProviderParams = Type.Object({
  provider: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'The calendar provider: `google`, `caldav` or `local`.',
    examples: ['local'],
  }),
});

const providerParameter = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

export const CalendarCallbackQuery = Type.Object(
  {
    state: providerParameter(512, 'The id of the attempt; a request without an id matches no attempt.'),
    code: providerParameter(2048, 'The authorization code, which is exchanged for tokens.'),
    error: providerParameter(512, 'The provider’s error, if it issued no code.'),
  },
  {
    $id: 'CalendarCallbackQuery',
    description: 'Parameters of the provider’s redirect. Unknown ones are ignored (RFC 6749, 4.1.2).',
    additionalProperties: true,
  },
);

export const CalendarCallbackResponse: ContentSpec = {
  content: { 'text/html': null },
  description:
    'Redirects to the console with `result`: `connected`; `refused`, if the person refused or the attempt was already used; `expired`; `scope`, if not all permissions were granted; `browser`, if another browser started the attempt; `unavailable`, if the provider did not respond.',
};
