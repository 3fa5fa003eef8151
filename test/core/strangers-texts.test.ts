import assert from 'node:assert/strict';
import { CitationFilter, listCitations, removeMarkers } from '../../core/answers/citations.ts';
import type { Passage } from '../../core/answers/chat-model.ts';
import { findBestSentence, findQuotes } from '../../core/answers/passage-quotes.ts';
import { buildSystemPrompt, trimHistory } from '../../core/answers/prompt.ts';
import { ThoughtFilter } from '../../adapters/llm/thought-filter.ts';
import { normalizeLink } from '../../adapters/web/link-address.ts';
import { cleanText } from '../../adapters/extraction/clean-text.ts';
import { detectTextLanguageCode } from '../../core/answers/terms.ts';
import { formatContentDisposition, toSafeFilename } from '../../adapters/storage/filename.ts';
import { removeCredentials } from '../../core/errors/describe-error.ts';
import { isEmailAddress } from '../../core/contacts/email-address.ts';
import { foldText } from '../../core/flows/fold-text.ts';
import { normalizeTypedAnswer } from '../../core/flows/nodes/typed-answer.ts';
import { chooseFlow, parseTrigger } from '../../core/flows/triggers.ts';
import { detectIndustry } from '../../core/bots/generation/industries.ts';
import { KnownContacts } from '../../core/bots/generation/known-contacts.ts';
import { toSafeLine } from '../../core/bots/generation/plain-text.ts';
import { deriveSlug } from '../../core/text/slug.ts';
import { toSearchText } from '../../services/knowledge/search/search-text.ts';
import { parseBlocks } from '../../browser/markdown-blocks.ts';
import { formatCsvLine } from '../../core/text/csv.ts';
import { removeAddresses } from '../../core/text/without-addresses.ts';
import { isVisible } from '../../core/text/visible-text.ts';
import {
  findDetails,
  findLastDetails,
  findNumbers,
  maskDetails,
} from '../../services/contacts/details-in-text.ts';
import {
  pickFittingValues,
  type ContactField,
} from '../../services/conversations/enrichment/contact-fields.ts';
import { toHeadline } from '../../services/conversations/enrichment/enrichment-reply.ts';
import { takeFirstWords } from '../../services/knowledge/document-title.ts';
import { toSingleLine } from '../../core/text/single-line.ts';
import { recognizeRemark } from '../../core/conversations/remarks/recognize-remark.ts';
import { extractSubject } from '../../core/analytics/question-subject.ts';
import { readQuestion as readAskedQuestion } from '../../services/analytics/read-question.ts';
import { prepareQuestion } from '../../services/knowledge/search/full-text-search.ts';
import { loadLanguageDetector } from '../../services/knowledge/ingestion/language.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { findTeamReplies } from '../../services/conversations/answering/team-replies.ts';
import { judgeAnswer } from '../../services/test-sets/judge-answer.ts';
import { MAX_RESULT_LENGTH } from '../../services/test-sets/test-runner.ts';
import { AuthorityClaims } from '../../core/text/authority-claims.ts';
import { toMailValues } from '../../services/mail/rendering/mail-values.ts';
import { preventAutoLinking } from '../../services/mail/rendering/prevent-auto-linking.ts';
import type { TestQuestion } from '../../entities/test-sets/test-set.entity.ts';
import { measureLoop } from '../support/loop-meter.ts';
import { strangersTexts } from '../support/strangers-texts.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const MAX_HELD_MS = 50;

const claims = new AuthorityClaims(['Parley']);

const toPassage = (text: string, title = text.slice(0, 500)): Passage => ({
  documentId: 'document',
  chunkId: 'chunk',
  title,
  sourceUrl: null,
  text,
  score: 1,
  headings: [title.slice(0, 200)],
});
const passages = Array.from({ length: 6 }, (_, index) =>
  toPassage(`Bicycle ${index} can be returned within thirty days of the delivery. `.repeat(40), 'Returns'),
);
const FOUND: Record<string, string> = { email: 'a@b.c', phone: '12345' };
const fields = ['email', 'phone', 'text'].map(
  (type): ContactField => ({ key: type, type, label: type, required: false, options: null }) as ContactField,
);

/** Contact fields of a bot, as many as the maximum of 20. */
const manyFields = Array.from({ length: 20 }, (_, at) => ({ ...fields[at % 3]!, key: `field_${at}` }));

function splitIntoPieces(text: string, filter: { push(piece: string): string; end(): string }): string {
  let shown = '';
  for (const piece of text.match(/[^]{1,4}/g) ?? []) shown += filter.push(piece);
  return shown + filter.end();
}

const BUSINESS = { description: 'Bicycles. https://bikes.example', websiteUrl: null };

const flows = Array.from({ length: 50 }, (_, at) => ({
  trigger: parseTrigger(
    `keyword:${Array.from({ length: 20 }, (_word, word) => `word ${at} ${word}`).join()}`,
  ),
}));

const testQuestion = {
  id: 'question',
  question: 'Why?',
  expects: 'answer' as const,
  source: null,
  words: ['£9'],
} satisfies TestQuestion;
const answered = { sources: [], isUnanswered: false, isHandedOver: false, isFailed: false };

/** Functions that read a whole text from a visitor, or from a model that repeats it. */
const readers: Record<string, (text: string) => unknown> = {
  'a check for invisible text': isVisible,
  'addresses and numbers': findDetails,
  'addresses and numbers of a conversation': (text) => findLastDetails([text, text, text]),
  'numbers after a label': findNumbers,
  'text without details': maskDetails,
  'fields that a model has found': (text) =>
    pickFittingValues(
      manyFields,
      Object.fromEntries(manyFields.map(({ key, type }) => [key, FOUND[type] ?? text])),
      text,
    ),
  'a question to search for': prepareQuestion,
  'the terms of a question': extractSubject,
  'a question to be grouped': (content) =>
    readAskedQuestion({
      content,
      optionId: null,
      followsInputRequest: false,
      searchedDocuments: true,
      isFollowUp: true,
    }),
  'a question for a quoted answer': (text) => findQuotes(text, passages),
  'a passage to be quoted': (text) => findQuotes('When can a bicycle be returned?', [toPassage(text)]),
  'a sentence to be cited for': (text) => findBestSentence(text, passages[0]!),
  'a passage to be cited': (text) => findBestSentence('A bicycle can be returned.', toPassage(text)),
  'the prompt': (text) =>
    buildSystemPrompt({
      systemPrompt: '',
      language: 'auto',
      strict: true,
      fallback: text.slice(0, 1000),
      passages: [toPassage(text)],
    }),
  'the history': (text) =>
    trimHistory(
      [1, 2, 3, 4].map(() => ({ role: 'user', content: text })),
      6000,
    ),
  'sources of an answer': (text) => listCitations(text, passages),
  'a streaming answer': (text) => splitIntoPieces(text, new CitationFilter(6)),
  'an answer that may be the fallback': removeMarkers,
  'reasoning of a complete answer': (text) => new ThoughtFilter().push(text),
  'streaming reasoning': (text) => splitIntoPieces(text, new ThoughtFilter()),
  'small talk': recognizeRemark,
  'a line of a form': toSingleLine,
  'the language': await loadLanguageDetector(),
  'the title of a conversation': toHeadline,
  'the title of a document': takeFirstWords,
  'a line of a CSV file': (text) => formatCsvLine([text, text]),
  'a value of an email': (text) => preventAutoLinking(toMailValues({ text })['text']!),
  'the name of a file': toSafeFilename,
  'the name of a download': formatContentDisposition,
  'the name of a workspace': deriveSlug,
  'another service’s error message': removeAddresses,
  'a quoted value in an error': removeCredentials,
  'contacts in a draft': (text) => new KnownContacts(BUSINESS, null).clean(text.slice(0, 4000)),
  'a line of a draft': (text) => toSafeLine(text, 4000),
  'the description of a business': detectIndustry,
  'the text of a document': cleanText,
  'words to search for': (text) => toSearchText(text.slice(0, 4000), 'simple'),
  'the language of a text by its words': detectTextLanguageCode,
  'a value that rules of flows compare': (text) => foldText(text),
  'keywords of a flow': (text) => parseTrigger(`keyword:${text}`),
  'a message to flows with keywords': (message) =>
    chooseFlow(flows, { message, pageUrl: `https://example.com/${message}`, isFirst: true }),
  'a number or date for a flow': (text) =>
    (['email', 'phone', 'number', 'date', 'text'] as const).map((input) =>
      normalizeTypedAnswer({ input }, text),
    ),
  'an email address': (text) => [
    isEmailAddress(text),
    isEmailAddress(`${text.slice(0, 60)}@${text}.example`),
  ],
  'the address of a link': (text) => normalizeLink(`https://${text}/`, 'https://example.com/'),
  'a text of an email to a stranger': (text) => claims.occurIn(text),
  'an answer to a test question': (text) =>
    judgeAnswer(testQuestion, { ...answered, content: cutText(text, MAX_RESULT_LENGTH) }),
  'messages of which one may be a question': (text) =>
    findTeamReplies(
      Array.from({ length: 200 }, () => ({ role: 'user' as const, content: text })),
      `${text}?`,
    ),
  Markdown: (text) => parseBlocks(text),
  'streaming Markdown': (text) => parseBlocks(text, true),
};

/**
 * Number of tries to run a function, of which one has to be fast: garbage collection and compilation slow
 * down the other tries.
 */
const ATTEMPTS = 30;

async function isCheap(work: () => unknown): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { blockedMs } = await measureLoop(async () => {
      await work();
    });
    if (blockedMs <= MAX_HELD_MS) return true;
  }
  return false;
}

describe("strangers' texts", () => {
  for (const [name, read] of Object.entries(readers)) {
    itInSoak(`block the event loop for at most ${MAX_HELD_MS} ms as ${name}`, async () => {
      const slow: string[] = [];
      for (const [kind, text] of strangersTexts) if (!(await isCheap(() => read(text)))) slow.push(kind);
      assert.deepEqual(slow, []);
    });
  }
});
