import assert from 'node:assert/strict';
import { CitationFilter, citationsOf } from '../../adapters/llm/citations.ts';
import type { Passage } from '../../adapters/llm/chat-model.ts';
import { bestSentence, findQuotes } from '../../adapters/llm/passage-quotes.ts';
import { buildSystemPrompt, trimHistory } from '../../adapters/llm/prompt.ts';
import { ThoughtFilter } from '../../adapters/llm/thought-filter.ts';
import { parseBlocks } from '../../browser/markdown-blocks.ts';
import { csvLine } from '../../core/text/csv.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import {
  detailsIn,
  lastDetailsIn,
  numbersIn,
  withoutDetails,
} from '../../services/contacts/details-in-text.ts';
import { fittingValues, type ContactField } from '../../services/conversations/enrichment/contact-fields.ts';
import { headline } from '../../services/conversations/enrichment/enrichment-reply.ts';
import { firstWords } from '../../services/knowledge/document-title.ts';
import { subjectOf } from '../../core/analytics/subject.ts';
import { readQuestion as readAskedQuestion } from '../../services/analytics/read-question.ts';
import { readQuestion } from '../../services/knowledge/full-text-search.ts';
import { languageDetector } from '../../services/knowledge/language.ts';
import { toMailValues } from '../../services/mail/mail-values.ts';
import { unlinked } from '../../services/mail/unlinked.ts';
import { costOf } from '../support/cost.ts';
import { strangersTexts } from '../support/strangers-texts.ts';

const LONGEST_MS = 50;

const passageOf = (text: string, title = text.slice(0, 500)): Passage => ({
  documentId: 'document',
  chunkId: 'chunk',
  title,
  sourceUrl: null,
  text,
  score: 1,
  headings: [title.slice(0, 200)],
});
const passages = Array.from({ length: 6 }, (_, index) =>
  passageOf(`Bicycle ${index} can be returned within thirty days of the delivery. `.repeat(40), 'Returns'),
);
const fields = ['email', 'phone', 'text'].map(
  (type): ContactField => ({ key: type, type, label: type, required: false, options: null }) as ContactField,
);

function inPieces(text: string, filter: { push(piece: string): string; end(): string }): string {
  let shown = '';
  for (const piece of text.match(/[^]{1,4}/g) ?? []) shown += filter.push(piece);
  return shown + filter.end();
}

/** Everything that reads, in one go, what a visitor has written or a model that echoes it. */
const readers: Record<string, (text: string) => unknown> = {
  'being told from nothing': isVisible,
  'addresses and numbers': detailsIn,
  'addresses and numbers of a conversation': (text) => lastDetailsIn([text, text, text]),
  'numbers that a reader has named': numbersIn,
  'what is shown without details': withoutDetails,
  'fields that a model has found': (text) =>
    fittingValues(fields, { email: 'a@b.c', phone: '12345', text }, text),
  'a question to search for': readQuestion,
  'what a question is about': subjectOf,
  'a question to be counted': (content) =>
    readAskedQuestion({ content, optionId: null, isAskedFor: false, isOfDocuments: true, isLater: true }),
  'a question to be answered by quotes': (text) => findQuotes(text, passages),
  'a passage to be quoted': (text) => findQuotes('When can a bicycle be returned?', [passageOf(text)]),
  'a sentence to be cited for': (text) => bestSentence(text, passages[0]!),
  'a passage to be cited': (text) => bestSentence('A bicycle can be returned.', passageOf(text)),
  'the prompt': (text) =>
    buildSystemPrompt({
      systemPrompt: '',
      language: 'auto',
      strict: true,
      fallback: text.slice(0, 1000),
      passages: [passageOf(text)],
    }),
  'the history': (text) =>
    trimHistory(
      [1, 2, 3, 4].map(() => ({ role: 'user', content: text })),
      6000,
    ),
  'sources of an answer': (text) => citationsOf(text, passages),
  'an answer that streams': (text) => inPieces(text, new CitationFilter(6)),
  'thoughts that stream': (text) => inPieces(text, new ThoughtFilter()),
  'the language': await languageDetector(),
  'the title of a conversation': headline,
  'the title of a document': firstWords,
  'a line of a CSV file': (text) => csvLine([text, text]),
  'a value of a mail': (text) => unlinked(toMailValues({ text })['text']!),
  Markdown: (text) => parseBlocks(text),
  'Markdown that grows': (text) => parseBlocks(text, true),
};

/** Of which one has to be short: collecting garbage and compiling fall into others. */
const LOOKS = 30;

function isCheap(work: () => unknown): boolean {
  return Array.from({ length: LOOKS }).some(() => costOf(work) <= LONGEST_MS);
}

describe("strangers' texts", () => {
  for (const [name, read] of Object.entries(readers)) {
    it(`hold the process for at most ${LONGEST_MS} ms as ${name}`, () => {
      const slow = [...strangersTexts].filter(([, text]) => !isCheap(() => read(text)));
      assert.deepEqual(
        slow.map(([text]) => text),
        [],
      );
    });
  }
});
