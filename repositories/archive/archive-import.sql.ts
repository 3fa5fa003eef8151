import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

const m = tableOf(Message, 'm');

/** What a message of an archive brings, and its types in PostgreSQL. */
const brought = {
  id: 'uuid',
  conversationId: 'uuid',
  replyToId: 'uuid',
  role: 'text',
  content: 'text',
  authorId: 'uuid',
  authorName: 'text',
  event: 'jsonb',
  optionId: 'text',
  input: 'jsonb',
  citations: 'jsonb',
  model: 'text',
  inputTokens: 'integer',
  outputTokens: 'integer',
  costUsd: 'numeric',
  latencyMs: 'integer',
  ttftMs: 'integer',
  mailedAt: 'timestamptz',
  isError: 'boolean',
  isUnanswered: 'boolean',
  errorCode: 'text',
  createdAt: 'timestamptz',
  keyId: 'uuid',
} as const satisfies Partial<Record<keyof Message, string>>;

const properties = Object.keys(brought) as (keyof typeof brought)[];

/** A message that is about to be written; its times are as JSON has them. */
export type BroughtMessage = Pick<
  Message,
  Exclude<keyof typeof brought, 'createdAt' | 'mailedAt' | 'keyId'>
> & {
  createdAt: string;
  mailedAt: string | null;
};

/** $1 messages as a JSON list, $2 their workspace */
export const INSERT_BROUGHT_MESSAGES = statement({
  name: 'insert-brought-messages',
  because: 'Thousands of rows of 22 columns are more parameters than a statement takes (bench archive).',
  isPrepared: true,
  text: `
    INSERT INTO ${m.table} (${m.bare('orgId', ...properties)})
    SELECT $2, ${properties.map((property) => `"${property}"`).join(', ')}
    FROM json_to_recordset($1::json)
      AS brought (${Object.entries(brought)
        .map(([property, type]) => `"${property}" ${type}`)
        .join(', ')})`,
});
