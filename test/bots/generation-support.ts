import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BotGeneration } from '../../entities/bots/bot-generation.entity.ts';
import { generateBotWorkflowId } from '../../core/workflows/commands.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import type { ApiClient, SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { SharedParleyWithWorker } from '../support/worker.ts';
import { findOpened } from '../support/find-opened.ts';

export const DESCRIPTION = 'Acme Bikes is a bicycle workshop in Lisbon that repairs and rents bicycles.';

/** Draft of the bot that the fake model returns. */
export const PARTS = {
  name: 'Acme Bikes',
  description: 'A bicycle workshop in Lisbon.',
  industry: 'bicycle repair',
  role: 'You help its visitors to find the right service.',
  tone: 'Cheerful.',
  facts: ['It repairs and rents bicycles.'],
  rules: ['Offer a rental where a repair takes long.'],
  welcome_message: 'Hi, this is Acme Bikes!',
  fallback_message: 'That I do not know.',
  starter_questions: ['What does a repair cost?'],
  suggested_kb_topics: ['Repairs'],
};

type Answer =
  | string
  | { status?: number; type?: string; body?: string | Buffer; headers?: Record<string, string> }
  | null;

/** A fake website of a business. A path whose page is null gets no response. */
export class BusinessSite {
  readonly servers = new LocalServers();
  readonly requests: string[] = [];
  pages: Record<string, Answer> = {};
  base = '';

  readonly #answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/';
    this.requests.push(path);
    const found = Object.hasOwn(this.pages, path) ? this.pages[path]! : { status: 404 };
    if (found === null) return;
    const {
      status = 200,
      type = 'text/html',
      body = '',
      headers = {},
    } = typeof found === 'string' ? { body: found } : found;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };

  async start(): Promise<void> {
    this.base = `http://127.0.0.1:${await this.servers.http(this.#answer)}`;
  }

  /** Sets the website’s pages and clears the list of its requests. */
  show(pages: Record<string, Answer>): void {
    this.requests.length = 0;
    this.pages = pages;
  }
}

export async function generateBot(client: ApiClient, body: object, headers: Record<string, string> = {}) {
  const response = await client.post('/api/bots/generate', body, headers);
  assert.equal(response.status, 201, JSON.stringify(response.body));
  return response.body;
}

/** Returns a workspace’s drafts of bots, oldest first. */
export const listDrafts = ({ database }: SharedParley, orgId: string) =>
  findOpened(database, BotGeneration, { where: { orgId }, order: { createdAt: 'ASC', id: 'ASC' } });

/** Returns the workflow of the last bot that a workspace generated, once the workflow has ended. */
export async function waitForDraftWorkflow(parley: SharedParleyWithWorker, orgId: string) {
  const { id } = (await listDrafts(parley, orgId)).at(-1)!;
  const handle = parley.temporal.workflow.getHandle(generateBotWorkflowId(id));
  await waitUntil(
    async () => (await handle.describe().catch(() => null)) !== null,
    'the workflow to be started',
  );
  const result: unknown = await handle.result();
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  const description = await handle.describe();
  const attributes = Object.fromEntries(
    description.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
  );
  return { handle, result, details: currentDetails, attributes, summary: await description.staticSummary() };
}

export async function listVersionNotes(client: ApiClient, botId: string) {
  const { body } = await client.get(`/api/bots/${botId}/versions`);
  return body.map(({ version, note }) => [version, note]);
}

/** Builds a promise, and a function with which a test resolves it. */
export function buildHold(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
