import { answerTexts } from '../conversations/answer-texts.ts';
import type { ChatChunk, ChatModel, ChatRequest } from './chat-model.ts';
import { findQuotes, type PassageQuote } from './passage-quotes.ts';
import type { TextUnit } from './text-units.ts';

export const EXTRACTIVE_MODEL = 'extractive-1';

/**
 * Answers without a language model, by quoting what fits best in the passages. The same request always gets the
 * same answer; no tokens are counted, since none are used.
 */
export class ExtractiveModel implements ChatModel {
  readonly name = EXTRACTIVE_MODEL;

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    const question = request.messages.at(-1)?.content ?? '';
    const answer = renderQuotes(await findQuotes(question, request.passages, request.isStrict));
    for (const text of splitText(answer || (request.fallback ?? answerTexts('en').fallback))) {
      signal.throwIfAborted();
      yield { type: 'text', text };
    }
  }
}

/** Quotes as Markdown, each followed by the number of its passage. */
function renderQuotes(quotes: PassageQuote[]): string {
  return quotes
    .flatMap(({ index, units }) => groupRuns(units).map((run) => `${renderRun(run)}[${index}]`))
    .join('\n\n');
}

/**
 * Groups units that belong together: a paragraph's sentences, a list or table, and the sentence that introduces
 * it.
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

/** Sentences flow, everything else has its own lines; the number never ends up inside a table or a code block. */
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

/** Sentences and lines, so that the answer appears in readable steps. */
function splitText(answer: string): string[] {
  return answer.match(/[^\n.!?。！？]*(?:[\n.!?。！？]+\s*|$)/gu)?.filter(Boolean) ?? [];
}
