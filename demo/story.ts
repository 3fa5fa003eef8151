import { setTimeout as sleep } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import type { BotRead } from '../api/bots/bots.schemas.ts';
import type {
  CitationRead,
  VisitorMessageRead as VisitorMessage,
} from '../api/conversations/messages.schemas.ts';
import type { DocumentRead, DocumentStatusRead } from '../api/knowledge/knowledge.schemas.ts';
import type { WebhookCreated } from '../api/webhooks/webhooks.schemas.ts';
import type { WidgetSessionCreated } from '../api/widget/widget.schemas.ts';
import { AnswerText } from './answer-text.ts';
import { questions, searchQuery, createSources, unansweredQuestion, type Source } from './documents.ts';
import type { ParleyClient } from './parley-client.ts';
import { excerpt, faint, heading, LiveLines, paint, print } from './terminal.ts';
import { isAuthentic } from './verify-signature.ts';
import type { ReceivedWebhook, WebhookReceiver } from './webhook-receiver.ts';

export interface StoryDeps {
  /** API client with an API key. */
  parley: ParleyClient;
  receiver: WebhookReceiver;
  /** URL of the website of the demo's bicycle service. */
  site: string;
}

/** Documents of the demo's bot, by the name of their source. */
type Library = Map<string, DocumentRead>;

const POLL_MS = 400;
const INDEXING_LIMIT_MS = 90_000;
/** Time in milliseconds that the demo waits for a webhook, longer than the first retries of a delivery. */
const WEBHOOK_WAIT_MS = 15_000;
const CLEANUP_LIMIT_MS = 5000;

const FALLBACK = 'I have found nothing about that. The service desk knows more: 01632 960 144.';
const EVENTS = [
  'document.indexed',
  'document.failed',
  'conversation.started',
  'message.created',
  'conversation.ended',
];

/**
 * Demonstrates Parley's main features over HTTP.
 * @returns the bot
 * @throws Error if a check fails
 */
export async function tellStory({ parley, receiver, site }: StoryDeps): Promise<BotRead> {
  heading('1  A bot');
  const bot = await createBot(parley);
  heading('2  A webhook');
  const webhook = await registerWebhook(parley, bot, receiver);
  try {
    heading('3  Documents');
    const library = await addDocuments(parley, bot, createSources(site));
    heading('4  Search');
    await search(parley, bot);
    heading('5  A visitor');
    const messageCount = await converse(parley, bot, library);
    heading('6  Webhooks');
    await showWebhooks(receiver, library.size + messageCount + 2);
    return bot;
  } finally {
    await parley
      .withSignal(AbortSignal.timeout(CLEANUP_LIMIT_MS))
      .call('DELETE', `/api/webhooks/${webhook.id}`);
  }
}

async function createBot(parley: ParleyClient): Promise<BotRead> {
  const draft = await parley.call<BotRead>('POST', '/api/bots', {
    name: 'Harbour Bikes',
    description: 'Answers questions from riders of the city’s bicycle service.',
    welcome_message: 'Ahoy! What would you like to know about our bikes?',
    fallback_message: FALLBACK,
    strict_kb_mode: true,
    starter_questions: questions.map(({ text }) => text),
    handoff_enabled: true,
    rate_limit_per_minute: 60,
  });
  const bot = await parley.call<BotRead>('PATCH', `/api/bots/${draft.id}`, { status: 'active' });
  expect(bot.status === 'active', 'The bot did not become active.');
  printSuccess(`${bot.name} is ${bot.status}`, bot.id);
  return bot;
}

async function registerWebhook(parley: ParleyClient, bot: BotRead, receiver: WebhookReceiver) {
  const webhook = await parley.call<Static<typeof WebhookCreated>>('POST', '/api/webhooks', {
    url: receiver.url,
    bot_id: bot.id,
    events: EVENTS,
    description: 'The receiver of the demo',
  });
  receiver.secret = webhook.secret;
  printSuccess(
    `${webhook.events.length} events go to ${webhook.url}`,
    `secret whsec_…${webhook.secret_hint}`,
  );
  return webhook;
}

async function addDocuments(parley: ParleyClient, bot: BotRead, sources: Source[]): Promise<Library> {
  const path = `/api/bots/${bot.id}/knowledge`;
  const startedAt = Date.now();
  const lines = new LiveLines();
  const documents = await Promise.all(
    sources.map(async (source, index) => {
      const document = await source.add(parley, path);
      const show = (status: DocumentStatusRead) =>
        lines.set(index, progressLine(source, status, Date.now() - startedAt));
      await waitUntilIndexed(parley, `${path}/${document.id}/status`, show);
      return [source.name, document] as const;
    }),
  );
  return new Map(documents);
}

async function waitUntilIndexed(
  parley: ParleyClient,
  path: string,
  show: (status: DocumentStatusRead) => void,
): Promise<void> {
  const deadline = Date.now() + INDEXING_LIMIT_MS;
  for (;;) {
    const status = await parley.call<DocumentStatusRead>('GET', path);
    show(status);
    if (status.status === 'indexed') return;
    expect(status.status !== 'failed', `A document could not be indexed: ${status.error_message}`);
    expect(Date.now() < deadline, 'A document was not indexed in time; is the worker running?');
    await sleep(POLL_MS);
  }
}

function progressLine(source: Source, { status, chunk_count: passages }: DocumentStatusRead, tookMs: number) {
  const label = `${source.name.padEnd(28)} ${faint(source.addedAs.padEnd(20))}`;
  if (status !== 'indexed') return `${faint('·')} ${label} ${status}`;
  return `${paint('green', '✓')} ${label} indexed  ${passages} passages  ${faint(seconds(tookMs))}`;
}

type AnswerEvent =
  | { event: 'message.started'; data: object }
  | { event: 'delta'; data: { text: string } }
  | { event: 'citations'; data: { citations: Static<typeof CitationRead>[] } }
  | { event: 'error'; data: { message: string } }
  | { event: 'done'; data: { message: VisitorMessage } };

interface Hit {
  title: string;
  text: string;
  score: number;
}

async function search(parley: ParleyClient, bot: BotRead): Promise<void> {
  const { items } = await parley.call<{ items: Hit[] }>('POST', `/api/bots/${bot.id}/knowledge/search`, {
    query: searchQuery,
    limit: 3,
  });
  print(`“${searchQuery}”`);
  for (const { title, text, score } of items) {
    print(`${score.toFixed(2)}  ${title.padEnd(24)}  ${faint(excerpt(text, 46))}`);
  }
  expect(items[0]?.title === 'Refunds and damage', 'The search did not rank the right document first.');
}

/**
 * Lets a visitor ask the bot some questions.
 * @returns number of stored messages
 */
async function converse(parley: ParleyClient, bot: BotRead, library: Library): Promise<number> {
  const session = await parley.call<Static<typeof WidgetSessionCreated>>(
    'POST',
    `/api/public/bots/${bot.public_key}/sessions`,
    { page_url: 'https://harbour-bikes.example/help' },
  );
  const path = `/api/public/sessions/${session.session_id}`;
  const visitor = parley.as(session.visitor_token);
  for (const { text, expected, source } of questions) {
    const answer = await ask(visitor, path, text);
    expect(expected.test(answer.content), `The answer should say ${expected}.`);
    const cited = answer.citations?.map(({ document_id: id }) => id) ?? [];
    expect(cited.includes(library.get(source)!.id), `The answer should cite ${source}.`);
  }
  const fallback = await ask(visitor, path, unansweredQuestion);
  expect(fallback.content === FALLBACK, 'The bot should have given its fallback message.');
  print(faint('The documents do not say, so the bot gave its fallback message.'));
  await visitor.call('POST', `${path}/end`);
  print();
  printSuccess('The visitor ended the session', session.session_id);
  return 2 * (questions.length + 1);
}

/** Asks a visitor's question and shows the answer while it arrives, then its citations. */
async function ask(visitor: ParleyClient, path: string, question: string): Promise<VisitorMessage> {
  print(paint('bold', question));
  const askedAt = Date.now();
  let firstTextMs: number | undefined;
  const text = new AnswerText();
  for await (const { event, data } of visitor.stream<AnswerEvent>(`${path}/messages/stream`, {
    content: question,
  })) {
    if (event === 'delta') {
      firstTextMs ??= Date.now() - askedAt;
      text.write(data.text);
    } else if (event === 'citations') {
      text.end();
      data.citations.forEach(showCitation);
    } else if (event === 'error') {
      fail(`The answer failed: ${data.message}`);
    } else if (event === 'done') {
      print(faint(`first words after ${firstTextMs} ms, complete after ${Date.now() - askedAt} ms`));
      print();
      return data.message;
    }
  }
  return fail('The stream ended without an answer.');
}

function showCitation({ index, title, quote }: Static<typeof CitationRead>): void {
  print(`${paint('cyan', `[${index}]`)} ${title}  ${faint(`“${excerpt(quote, 44)}”`)}`);
}

async function showWebhooks(receiver: WebhookReceiver, expectedCount: number): Promise<void> {
  await receiver.waitFor(expectedCount, WEBHOOK_WAIT_MS);
  const { received, rejected, secret } = receiver;
  for (const webhook of received) {
    print(
      `${paint('green', '✓')} ${webhook.event.padEnd(21)} ${faint(excerpt(describeWebhook(webhook), 56))}`,
    );
  }
  const count = received.length;
  expect(rejected === 0, `${rejected} webhooks had a wrong signature.`);
  expect(count === expectedCount, `${count} of ${expectedCount} webhooks arrived.`);
  const [{ rawBody, signature } = fail('No webhook arrived.')] = received;
  const forged = Buffer.from(rawBody.toString('latin1').replace('"', "'"), 'latin1');
  expect(!isAuthentic(forged, signature, secret), 'A changed webhook was accepted as authentic.');
  print();
  printSuccess(
    `${count} of ${expectedCount} arrived, each signed by Parley; a copy with one changed byte is refused`,
  );
}

function describeWebhook({ data }: ReceivedWebhook): string {
  const { title, chunk_count: passages, role, content, message_count: turns, visitor_id: visitor } = data;
  if (role !== undefined) return `${role}: ${content}`;
  if (title !== undefined) return `${title}, ${passages} passages`;
  return turns === undefined ? `${visitor}` : `${visitor}, ${turns} turns`;
}

function printSuccess(text: string, detail = ''): void {
  print(`${paint('green', '✓')} ${text}  ${faint(detail)}`.trimEnd());
}

function expect(condition: boolean, message: string): asserts condition {
  if (!condition) fail(message);
}

function fail(message: string): never {
  throw new Error(message);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
