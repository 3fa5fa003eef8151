import { ModelError } from '../../../core/answers/chat-model.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { toSingleLine } from '../../../core/text/single-line.ts';
import { sentiments, type Sentiment } from '../../../entities/conversations/conversation.entity.ts';

const MAX_TITLE_LENGTH = 80;
const MAX_SUMMARY_LENGTH = 1000;

/** Title, summary and sentiment that a model returned for a conversation; null if unknown. */
export interface Enrichment {
  title: string | null;
  summary: string | null;
  sentiment: Sentiment | null;
}

export interface EnrichmentReply extends Enrichment {
  /** Contact fields as the model returned them. Neither keys nor values are validated. */
  fields: Record<string, unknown>;
}

/**
 * Shortens a text to a conversation's title: one line of limited length. Cuts between words if possible.
 * @throws ModelError `model_invalid_response` if the reply has no JSON object with a title or a summary
 */
export function parseEnrichmentReply(text: string): EnrichmentReply {
  const reply = extractJsonObject(text);
  const title = toShortText(reply['title'], MAX_TITLE_LENGTH);
  const summary = toShortText(reply['summary'], MAX_SUMMARY_LENGTH);
  if (title === null && summary === null) throw new ModelError('model_invalid_response');
  const { fields } = reply;
  return {
    title,
    summary,
    sentiment: sentiments.find((sentiment) => sentiment === reply['sentiment']) ?? null,
    fields: isObject(fields) ? fields : {},
  };
}

/** Shortens a conversation's title to one line of limited length. Cuts between words if possible. */
export function toHeadline(text: string): string | null {
  return toShortText(text, MAX_TITLE_LENGTH);
}

function extractJsonObject(text: string): Record<string, unknown> {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch {
    // Does not attach the parser's error: it quotes content, which must not be logged.
    throw new ModelError('model_invalid_response');
  }
  throw new ModelError('model_invalid_response');
}

function toShortText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const text = toSingleLine(value);
  if (text.length <= maxLength) return text || null;
  const cut = cutText(text, maxLength - 1);
  const wordEnd = cut.lastIndexOf(' ');
  return `${wordEnd > maxLength / 2 ? cut.slice(0, wordEnd) : cut}…`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
