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

const ofProvider = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

export const CalendarCallbackQuery = Type.Object(
  {
    state: ofProvider(512, 'The id of the attempt; a request without it matches no attempt.'),
    code: ofProvider(2048, 'The authorization code, which is exchanged for access.'),
    error: ofProvider(512, 'Why there is none.'),
  },
  {
    $id: 'CalendarCallbackQuery',
    description: 'What providers say to clients. What is not known is ignored (RFC 6749, 4.1.2).',
    additionalProperties: true,
  },
);

export const CalendarCallbackResponse: ContentSpec = {
  content: { 'text/html': null },
  description:
    'On to the console, with `result`: `connected`; `refused`, by the person or because the attempt was used before; `expired`; `scope`, where not all was granted; `browser`, where another one began it; `unavailable`, where the provider could not be asked.',
};
