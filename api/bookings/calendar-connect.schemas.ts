import { Type } from '@sinclair/typebox';
import type { ContentSpec } from '../http/operation.ts';

export const CalendarProviderParams = Type.Object({
  provider: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Whose calendar it is: `google`, `caldav` or `local`.',
    examples: ['local'],
  }),
});

const ofProvider = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

/** Google says more than it is asked for. */
export const CalendarCallbackQuery = Type.Object(
  {
    state: ofProvider(512, 'What the attempt is known by; without it there is none.'),
    code: ofProvider(2048, 'What the access is had for.'),
    error: ofProvider(512, 'Why there is none.'),
    error_description: ofProvider(2048, 'The same in words; nobody reads it.'),
    scope: ofProvider(2048, 'What was agreed to; the token says it again.'),
    authuser: ofProvider(40, 'Which of several accounts it was; nobody reads it.'),
    prompt: ofProvider(100, 'What was asked; nobody reads it.'),
    hd: ofProvider(255, 'The domain of the account; nobody reads it.'),
    iss: ofProvider(512, 'Who has responded; nobody reads it.'),
  },
  { additionalProperties: false },
);

export const CalendarCallbackResponse: ContentSpec = {
  content: { 'text/html': null },
  description:
    'On to the console, with `result`: `connected`; `refused`, by the person or because the attempt was used before; `expired`; `scope`, where not all was granted; `browser`, where another one began it; `unavailable`, where the provider could not be asked.',
};
