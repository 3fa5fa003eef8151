import { createModelFactory } from '../../adapters/llm/model-factory.ts';
import type { Embedder } from '../../adapters/embedding/embedder.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { stages, type Stage, type StageReport } from '../../core/answers/stages.ts';
import { runToEnd } from '../../core/concurrency/run-to-end.ts';
import { createLogger } from '../../core/logger.ts';
import { loadSettings, type Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Answerer } from '../../services/conversations/answering/answerer.ts';
import { startModelServer, type ModelRequestBody } from '../../test/support/model-server.ts';
import { buildBot } from '../support/bench-bot.ts';
import { percentile, roundTo, type Figure } from '../support/figure.ts';
import { indexPages } from './index-pages.ts';
import { indexVectors } from './index-vectors.ts';
import { createSearch } from './sources.ts';
import { readParagraphs, readAskedQuestions, type AskedQuestion, type Paragraph } from './xquad.ts';

const LANGUAGES = ['en', 'de', 'zh'] as const;
/** Number of questions with an answer, and of those without one, in each language. */
const QUESTIONS = 60;
const never = new AbortController().signal;

interface AnsweredQuestion {
  paragraph: string;
  isRefused: boolean;
  reports: StageReport[];
}

/**
 * Measures the stages in which strict bots answer, and which questions these bots refuse. The bot has the
 * paragraphs of every second article of the data set XQuAD; questions about the other articles have no
 * answer. Either Parley alone judges relevance, or a scripted model that knows which paragraph answers, so
 * that only the other stages are measured.
 */
export async function benchAnswers(scope: OrgScope, embedder: Embedder): Promise<Figure[]> {
  const { known, pageByChunk, botId } = await buildStrictBot(scope, embedder);
  const questionsByText = new Map<string, string>();
  const model = await startModelServer({
    judge: (body) => judgeAsScripted(body, questionsByText, known),
    answer: (body) => answerAsScripted(body, questionsByText),
  });
  try {
    const figures: Figure[] = [];
    for (const judge of ['relevance', 'model'] as const) {
      const settings = loadSettings({
        ...process.env,
        ...(judge === 'model' && { PARLEY_MODEL_BASE_URL: model.baseUrl }),
      });
      const answerer = createAnswerer(embedder, settings);
      const bot = await scope.db.repository(Bot).findOneByOrFail({ id: botId });
      const answer = (question: AskedQuestion) => answerQuestion(answerer, { scope, bot }, question);
      for (const language of LANGUAGES) {
        const { answerable, unanswerable } = selectQuestions(language, known);
        for (const { question, paragraph } of [...answerable, ...unanswerable])
          questionsByText.set(question, paragraph);
        const answered: AnsweredQuestion[] = [];
        for (const question of answerable) answered.push(await answer(question));
        const others: AnsweredQuestion[] = [];
        for (const question of unanswerable) others.push(await answer(question));
        const name = `judged by ${judge}, ${language}`;
        figures.push(...computeRefusals(name, answered, others));
        figures.push(...computeStages(name, answered, pageByChunk));
      }
    }
    return figures;
  } finally {
    await model.close();
  }
}

async function buildStrictBot(scope: OrgScope, embedder: Embedder) {
  const paragraphs = readParagraphs();
  const articles = [...new Set(paragraphs.map(({ article }) => article))];
  const known = paragraphs.filter(({ article }) => articles.indexOf(article) % 2 === 0);
  const botId = await buildBot(scope);
  const pages = known.map(({ id, article, text }) => ({
    id,
    bytes: Buffer.from(`# ${article.replaceAll('_', ' ')}\n\n${text}\n`),
  }));
  const pageByDocument = await indexPages(scope, botId, pages, 'text/markdown');
  await indexVectors(scope, embedder);
  await scope.db.repository(Bot).update({ id: botId }, { strictKbMode: true });
  const chunks: { id: string; document_id: string }[] = await scope.db.sql(
    'SELECT id, document_id FROM chunks WHERE bot_id = $1',
    [botId],
  );
  const pageByChunk = new Map(chunks.map((chunk) => [chunk.id, pageByDocument.get(chunk.document_id)!]));
  return { botId, known, pageByChunk };
}

function createAnswerer(embedder: Embedder, settings: Settings): Answerer {
  return new Answerer({
    settings,
    // Pass no keys: the bot has no encrypted API keys.
    keyring: {} as Keyring,
    models: createModelFactory({ settings, guardedFetch: fetch, secretFetch: fetch, trustedFetch: fetch }),
    search: createSearch(embedder),
    log: createLogger('bench', 'warn'),
  });
}

function selectQuestions(language: string, known: readonly Paragraph[]) {
  const ids = new Set(known.map(({ id }) => id));
  const questions = readAskedQuestions(language);
  const takeEverySecond = (rows: AskedQuestion[]) => rows.filter((_, at) => at % 2 === 0).slice(0, QUESTIONS);
  return {
    answerable: takeEverySecond(questions.filter(({ paragraph }) => ids.has(paragraph))),
    unanswerable: takeEverySecond(questions.filter(({ paragraph }) => !ids.has(paragraph))),
  };
}

async function answerQuestion(
  answerer: Answerer,
  { scope, bot }: { scope: OrgScope; bot: Bot },
  { question, paragraph }: AskedQuestion,
): Promise<AnsweredQuestion> {
  const reports: StageReport[] = [];
  const messages = [{ role: 'user' as const, content: question }];
  const observe = (report: StageReport) => void reports.push(report);
  const { isUnanswered } = await runToEnd(answerer.answer(scope, bot, { messages, observe }, never));
  return { paragraph, isRefused: isUnanswered, reports };
}

/**
 * Replies, as the scripted model, with the number of the document that has the paragraph of the question; 0
 * if none has it.
 */
function judgeAsScripted(
  { messages }: ModelRequestBody,
  paragraphByQuestion: ReadonlyMap<string, string>,
  known: readonly Paragraph[],
): string {
  const content = messages[1]!.content;
  const question = content.slice(content.lastIndexOf('Question: ') + 'Question: '.length);
  const paragraph = known.find(({ id }) => id === paragraphByQuestion.get(question));
  const documents = content.split('<document index=').slice(1);
  const start = paragraph?.text.slice(0, 60);
  return String(start === undefined ? 0 : documents.findIndex((document) => document.includes(start)) + 1);
}

/**
 * Replies, as the scripted model, with the first sentence of the first document and a sentence that no
 * document supports.
 */
function answerAsScripted(
  { messages }: ModelRequestBody,
  paragraphByQuestion: ReadonlyMap<string, string>,
): string {
  const [, first = ''] = messages[0]!.content.split('<document index="1"');
  const [sentence] = first.slice(first.indexOf('\n') + 1).split('. ', 1);
  return `${sentence} [1].\n\nWe also sell ${paragraphByQuestion.size + 7000} umbrellas.`;
}

function computeRefusals(
  name: string,
  answered: readonly AnsweredQuestion[],
  others: readonly AnsweredQuestion[],
): Figure[] {
  const share = (rows: readonly AnsweredQuestion[]) =>
    roundTo(rows.filter(({ isRefused }) => isRefused).length / rows.length, 3);
  const [wrongly, rightly] = [share(answered), share(others)];
  const figure = { bench: 'retrieval', unit: 'of 1' };
  return [
    {
      ...figure,
      figure: `${name}: refused without an answer`,
      value: rightly,
      target: '≥ 0.85',
      ok: rightly >= 0.85,
    },
    {
      ...figure,
      figure: `${name}: refused with one`,
      value: wrongly,
      target: '≤ 0.05',
      ok: wrongly <= 0.05,
    },
  ];
}

/** Computes a figure for each stage of answering. A skipped stage keeps the passages that the previous stage left. */
function computeStages(
  name: string,
  answered: readonly AnsweredQuestion[],
  pageByChunk: ReadonlyMap<string, string>,
): Figure[] {
  const left = answered.map(() => [] as readonly string[]);
  return stages.map((stage) => {
    const durations = answered.map(({ reports }) => sumDurations(reports, stage));
    for (const [index, { reports }] of answered.entries()) {
      const last = reports.findLast((report) => report.stage === stage && report.chunkIds !== undefined);
      if (last) left[index] = listPages(last.chunkIds!, pageByChunk);
    }
    const share = (first: number) =>
      roundTo(
        answered.filter(({ paragraph }, at) => left[at]!.slice(0, first).includes(paragraph)).length /
          answered.length,
        3,
      );
    const [median, high] = [0.5, 0.95].map((part) => roundTo(percentile(durations, part), 1));
    const note = `p50 ${median} ms, p95 ${high} ms`;
    const figure = { bench: 'retrieval', figure: `${name}, ${stage}` };
    return left.every(({ length }) => length === 0)
      ? { ...figure, value: median!, unit: 'ms', note }
      : { ...figure, value: share(1), unit: 'hit@1', note: `hit@3 ${share(3)}, hit@8 ${share(8)}; ${note}` };
  });
}

const sumDurations = (reports: readonly StageReport[], stage: Stage) =>
  reports.filter((report) => report.stage === stage).reduce((sum, { ms }) => sum + ms, 0);

const listPages = (chunkIds: readonly string[], pageByChunk: ReadonlyMap<string, string>) => [
  ...new Set(chunkIds.flatMap((id) => pageByChunk.get(id) ?? [])),
];
