import { containsText } from '../text/contains-text.ts';
import { foldText } from './fold-text.ts';

/** Condition that starts a flow. A flow without a trigger starts only when another flow jumps to it. */
export type Trigger =
  | { kind: 'conversation_started' | 'first_message' | 'no_answer' }
  | { kind: 'keyword'; words: string[] }
  | { kind: 'page'; glob: string };

const plain = ['conversation_started', 'first_message', 'no_answer'] as const;
const MAX_KEYWORDS = 20;
/**
 * Maximum number of characters in the normalized keywords of a flow's trigger. NFKC can expand one character
 * to eighteen, and PostgreSQL's index entries hold at most 2,700 bytes.
 */
const MAX_KEYWORDS_LENGTH = 600;

/** Parses the trigger of a flow, such as `keyword: price, cost`. Returns null if the text is not a trigger. */
export function parseTrigger(text: string): Trigger | null {
  const [, kind, rest] = /^\s*(\w+)\s*(?::(.*))?$/s.exec(text) ?? [];
  const simple = plain.find((name) => name === kind);
  if (simple) return rest === undefined ? { kind: simple } : null;
  if (kind === 'keyword') return parseKeywords(rest ?? '');
  return kind === 'page' ? parsePage((rest ?? '').trim()) : null;
}

function parseKeywords(list: string): Trigger | null {
  const words = [...new Set(list.split(',').map(normalizeWords))].filter((word) => word !== '').toSorted();
  const isTooLong = words.length > MAX_KEYWORDS || words.join(',').length > MAX_KEYWORDS_LENGTH;
  return words.length === 0 || isTooLong ? null : { kind: 'keyword', words };
}

function parsePage(glob: string): Trigger | null {
  return /^(\/|https?:\/\/)\S*$/.test(glob) ? { kind: 'page', glob: glob.replaceAll(/\*+/g, '*') } : null;
}

/** Returns the canonical text of a flow's trigger, so that triggers with the same meaning are equal. */
export function formatTrigger(trigger: Trigger): string {
  if (trigger.kind === 'keyword') return `keyword:${trigger.words.join(',')}`;
  return trigger.kind === 'page' ? `page:${trigger.glob}` : trigger.kind;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Matches characters of scripts that do not put spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

function normalizeWords(text: string): string {
  return (foldText(text).match(WORD) ?? []).join(' ');
}

/** @param words normalized words of the message, with a space before and after each */
function containsWord(words: string, word: string): boolean {
  return containsText(words, UNSPACED.test(word) ? word : ` ${word} `);
}

/**
 * Returns whether the URL of a page matches a trigger's pattern, in which `*` stands for any text, including
 * none.
 */
export function matchesPage(glob: string, address: string): boolean {
  return URL.canParse(address) && matchesUrl(glob, new URL(address));
}

function matchesUrl(glob: string, { origin, pathname }: URL): boolean {
  const page = glob.startsWith('/') ? pathname : origin + pathname;
  const [first = '', ...rest] = glob.split('*');
  if (rest.length === 0) return page === glob;
  if (!page.startsWith(first)) return false;
  const last = rest.pop()!;
  let from = first.length;
  for (const part of rest) {
    const at = page.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return page.length - last.length >= from && page.endsWith(last);
}

/** State of a conversation with which the triggers of flows are compared. */
export interface TriggerContext {
  message: string;
  pageUrl: string | null;
  isFirst: boolean;
}

/**
 * Returns the flow that a visitor's message starts. Keywords take precedence, then the page, then triggers for
 * any first message.
 */
export function chooseFlow<F extends { trigger: Trigger | null }>(
  flows: readonly F[],
  { message, pageUrl, isFirst }: TriggerContext,
): F | undefined {
  const words = ` ${normalizeWords(message)} `;
  const page = pageUrl !== null && URL.canParse(pageUrl) ? new URL(pageUrl) : null;
  const matchers: ((trigger: Trigger) => boolean)[] = [
    (trigger) => trigger.kind === 'keyword' && trigger.words.some((word) => containsWord(words, word)),
    (trigger) => isFirst && trigger.kind === 'page' && page !== null && matchesUrl(trigger.glob, page),
    (trigger) => isFirst && trigger.kind === 'conversation_started',
    (trigger) => isFirst && trigger.kind === 'first_message',
  ];
  for (const matches of matchers) {
    const found = flows.find(({ trigger }) => trigger !== null && matches(trigger));
    if (found) return found;
  }
  return undefined;
}

/** Returns the bot's flow with the trigger `no_answer`, which starts when the bot found no answer. */
export function findNoAnswerFlow<F extends { trigger: Trigger | null }>(flows: readonly F[]): F | undefined {
  return flows.find(({ trigger }) => trigger?.kind === 'no_answer');
}
