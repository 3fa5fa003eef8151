import { Type } from '@sinclair/typebox';

export const BotId = Type.String({ format: 'uuid', description: 'The bot’s id, from list_bots.' });

export const Cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'next_cursor of the previous call, with the same filters.',
  }),
);

/** Returns the field of a tool's result with the cursor of the next page; no field after the last page. */
export function toCursorField({ next_cursor: next }: { next_cursor: string | null }): {
  next_cursor?: string;
} {
  return next === null ? {} : { next_cursor: next };
}
