import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import { signIdentityToken } from '../support/identity-token.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import type { ApiClient } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { createSessionStarter, type buildActiveBot } from '../support/widget.ts';

export type Bot = Awaited<ReturnType<typeof buildActiveBot>>;

export const form = {
  handoff_enabled: true,
  lead_capture_config: {
    enabled: true,
    fields: [
      { key: 'name', label: 'Name' },
      { key: 'email', label: 'Email', type: 'email' },
      { key: 'phone', label: 'Phone', type: 'phone' },
      { key: 'ship', label: 'Ship' },
    ],
  },
};

/**
 * Starts a Parley that erases contacts around the tests of a `describe`, and builds contacts
 * there.
 */
export function useErasure(onStarted: (parley: TestParleyWithWorker, model: ModelServer) => void) {
  let parley: TestParleyWithWorker;
  let browser: ReturnType<typeof createSessionStarter>;
  let model: ModelServer;

  before(async () => {
    model = await startModelServer({
      answer: ({ messages }) => {
        const question = messages.at(-1)?.content ?? '';
        return question.includes('for ever') ? { text: question, hang: 1 } : `You ask: ${question}`;
      },
    });
    parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL: 'gpt-4o-mini',
      webhookRetrySchedule: '3600',
    });
    browser = createSessionStarter(parley);
    onStarted(parley, model);
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function session({ bot }: Bot, body: object) {
    const { body: started, status } = await browser(bot.public_key, { visitor_id: newId(), ...body });
    assert.equal(status, 201);
    const path = `/api/public/sessions/${started.session_id}` as const;
    return { id: started.session_id as string, path, visitor: parley.client(started.visitor_token) };
  }

  async function identityToken({ client, bot }: Bot, claims: object): Promise<string> {
    const { body } = await client.get(`/api/bots/${bot.id}/embed`);
    return signIdentityToken(body.identity_secret!, claims);
  }

  /** Builds a contact of an anonymous visitor. */
  async function buildContact(org: Bot, visitorId: string, fields: object = { name: 'Trillian' }) {
    const one = await session(org, { visitor_id: visitorId });
    await one.visitor.post(`${one.path}/messages`, { content: `Hello from ${visitorId}` });
    await one.visitor.post(`${one.path}/lead`, { fields });
    const { body } = await org.client.get(`/api/conversations/${one.id}`);
    return { ...one, contactId: body.contact_id as string };
  }

  async function erase(client: ApiClient, contactId: string) {
    const { status, body } = await client.post(`/api/contacts/${contactId}/erase`);
    assert.equal(status, 202, JSON.stringify(body));
    assert.equal(typeof body.message, 'string');
  }

  async function waitUntilErased(contactId: string): Promise<void> {
    const exists = async () =>
      (await parley.database.sql('SELECT FROM contacts WHERE id = $1', [contactId])).length > 0;
    await waitUntil(async () => !(await exists()), 'the contact to be gone');
    await parley.temporal.workflow.getHandle(`erase-contact/${contactId}`).result();
  }

  /** Returns all rows of the database, table by table, as text. */
  async function dump(): Promise<string> {
    const tables = await parley.database.sql<{ name: string }>(
      "SELECT format('%I', relname) AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    const texts = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await parley.database.sql<{ row: string }>(
          `SELECT to_jsonb(t)::text AS row FROM ${name} t`,
        );
        return rows.map(({ row }) => `${name} ${row}`);
      }),
    );
    return texts.flat().join('\n');
  }

  async function storedFiles(): Promise<string> {
    const folder = parley.runtime.settings.home;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join(
      '\n',
    );
  }

  return { session, identityToken, buildContact, erase, waitUntilErased, dump, storedFiles };
}
