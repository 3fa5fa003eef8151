import { answerTexts } from '../conversations/answer-texts.ts';
import type { ChatChunk, ChatModel, ChatRequest } from './chat-model.ts';
import { findQuotes, findQuotesByMeaning, type PassageQuote } from './passage-quotes.ts';
import type { TextUnit } from './text-units.ts';

export const EXTRACTIVE_MODEL = 'extractive-1';

/**
 * Answers by quoting the sentences of the passages that match best, without a language model. Equal requests
 * get equal answers. No token usage is reported, since no tokens are used.
 */
export class ExtractiveModel implements ChatModel {
  readonly name = EXTRACTIVE_MODEL;

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    const answer = await quotePassages(request);
    for (const text of splitText(answer || (request.fallback ?? answerTexts('en').fallback))) {
      signal.throwIfAborted();
      yield { type: 'text', text };
    }
  }
}

/**
 * Quotes passages by the words of the question, or by its meaning if the best passage is in another language.
 */
async function quotePassages({ messages, passages, isStrict, foreignQuotes }: ChatRequest): Promise<string> {
  const question = messages.at(-1)?.content ?? '';
  const quotes = await findQuotes(question, passages, isStrict);
  const quoted = passages[(quotes[0]?.index ?? 1) - 1];
  const introduction = quoted && foreignQuotes ? await foreignQuotes.introduce(quoted) : '';
  if (introduction === '' || !foreignQuotes) return renderQuotes(quotes);
  const byMeaning = await findQuotesByMeaning(question, passages, foreignQuotes.chooseByMeaning);
  const found = byMeaning.length > 0 ? byMeaning : quotes;
  return found.length > 0 ? `${introduction}\n\n${renderQuotes(found)}` : '';
}

/** Renders quotes as Markdown, each followed by its citation, such as `[1]`. */
function renderQuotes(quotes: PassageQuote[]): string {
  return quotes
    .flatMap(({ index, units }) => groupRuns(units).map((run) => `${renderRun(run)}[${index}]`))
    .join('\n\n');
}

/**
 * Groups the units of a passage that are quoted together: those of a paragraph, list or table, and a sentence
 * that introduces them with a colon.
 */
function groupRuns(units: TextUnit[]): TextUnit[][] {
  const runs: TextUnit[][] = [];
  for (const unit of units) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && (before.block === unit.block || /[:：]$/.test(before.text))) run.push(unit);
    else runs.push([unit]);
  }
  return runs;
}

/**
 * Renders a group of quoted sentences, list items or rows as Markdown. Sentences share a line; list items,
 * rows and code have their own lines. The last line is never in a table or code block, so that a citation can
 * follow.
 */
function renderRun(units: TextUnit[]): string {
  let text = '';
  for (const [at, unit] of units.entries()) {
    const before = units[at - 1];
    if (before) text += separator(before, unit);
    if (unit.tableHead && before?.block !== unit.block) text += `${unit.tableHead}\n`;
    text += unit.text;
  }
  const isTableOrCode = units.at(-1)?.kind === 'row' || units.at(-1)?.kind === 'code';
  return `${text}${isTableOrCode ? '\n\n' : ' '}`;
}

function separator(before: TextUnit, unit: TextUnit): string {
  if (before.block !== unit.block) return '\n\n';
  return unit.kind === 'sentence' ? ' ' : '\n';
}

/** Splits a composed answer into sentences and lines, which are streamed one by one. */
function splitText(answer: string): string[] {
  return answer.match(/[^\n.!?。！？]*(?:[\n.!?。！？]+\s*|$)/gu)?.filter(Boolean) ?? [];
}
