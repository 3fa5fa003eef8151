import type { ChatChunk, ChatModel, ChatRequest } from './chat-model.ts';
import { findQuotes, type PassageQuote } from './passage-quotes.ts';
import type { TextUnit } from './text-units.ts';

export const EXTRACTIVE_MODEL = 'extractive-1';

const NOTHING_FOUND = 'I could not find an answer to that in the documents.';

/**
 * Answers without a language model, by quoting what fits best in the passages. The same request always gets the
 * same answer; no tokens are counted, since none are used.
 */
export class ExtractiveModel implements ChatModel {
  readonly name = EXTRACTIVE_MODEL;

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    const question = request.messages.at(-1)?.content ?? '';
    const answer = renderQuotes(findQuotes(question, request.passages));
    for (const text of piecesOf(answer || request.fallback || NOTHING_FOUND)) {
      signal.throwIfAborted();
      yield { type: 'text', text };
    }
  }
}

/** Quotes as Markdown, each followed by the number of its passage. */
export function renderQuotes(quotes: PassageQuote[]): string {
  return quotes
    .flatMap(({ index, units }) => runsOf(units).map((run) => `${renderRun(run)}[${index}]`))
    .join('\n\n');
}

/** Neighbours of the same kind and block; a paragraph's sentences, a list's items, a table's rows. */
function runsOf(units: TextUnit[]): TextUnit[][] {
  const runs: TextUnit[][] = [];
  for (const unit of units) {
    const run = runs.at(-1);
    if (run?.[0]?.block === unit.block) run.push(unit);
    else runs.push([unit]);
  }
  return runs;
}

function renderRun(units: TextUnit[]): string {
  const texts = units.map(({ text }) => text);
  const [first] = units;
  if (first?.kind === 'sentence') return `${texts.join(' ')} `;
  if (first?.kind === 'item') return `${texts.join('\n')} `;
  if (first?.tableHead) texts.unshift(first.tableHead);
  return `${texts.join('\n')}\n\n`;
}

/** Sentences and lines, so that the answer appears in readable steps. */
function piecesOf(answer: string): string[] {
  return answer.match(/[^\n.!?。！？]*(?:[\n.!?。！？]+\s*|$)/gu)?.filter(Boolean) ?? [];
}
