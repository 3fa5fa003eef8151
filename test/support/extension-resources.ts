import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { TestRun } from '../../entities/test-sets/test-run.entity.ts';
import type { ApiClient, ApiResponse, SharedParley, TestOrg } from './parley.ts';

/** Returns the body of a response with status 201. */
export async function requireCreated<T>(response: Promise<ApiResponse<T>>): Promise<T> {
  const { status, body } = await response;
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

export async function addNote({ client }: TestOrg, conversationId: string): Promise<string> {
  const path = `/api/ext/conversations/${conversationId}/notes` as const;
  return (await requireCreated(client.post(path, { text: 'A regular customer.' }))).id;
}

export async function addSavedReply({ client }: TestOrg): Promise<string> {
  const reply = { name: 'Opening hours of the workshop', text: 'Nine to five.' };
  return (await requireCreated(client.post('/api/ext/saved-replies', reply))).id;
}

export async function addSavedView(client: ApiClient): Promise<string> {
  const view = { page: 'conversations', name: 'Ended', query: { status: 'ended' } };
  return (await requireCreated(client.post('/api/ext/saved-views', view))).id;
}

interface Visit {
  session_id: string;
  visitor_token: string;
}

/** Lets a visitor ask the bot a question. Returns the id of the bot's answer. */
export async function addAnswer(
  { client }: SharedParley,
  { session_id: id, visitor_token: token }: Visit,
): Promise<string> {
  const path = `/api/public/sessions/${id}/messages` as const;
  return (await requireCreated(client(token).post(path, { content: 'When do you open?' }))).id;
}

/** Lets a visitor ask a question and rate the bot's answer. Returns the id of the answer. */
export async function addRatedAnswer(parley: SharedParley, visit: Visit): Promise<string> {
  const id = await addAnswer(parley, visit);
  const path = `/api/ext/public/sessions/${visit.session_id}/messages/${id}/rating` as const;
  const { status } = await parley.client(visit.visitor_token).put(path, { rating: 'up' });
  assert.equal(status, 200);
  return id;
}

/** Lets a visitor upload a file without sending it. Returns the file's id. */
export async function addVisitorFile(
  { client }: SharedParley,
  { session_id: id, visitor_token: token }: Visit,
): Promise<string> {
  const body = new FormData();
  body.set('client_id', newId());
  body.set('file', new File(['The brake squeals.'], 'notes.txt'));
  const path = `/api/ext/public/sessions/${id}/files`;
  const response = await client(token).fetch(path, { method: 'POST', body });
  const file = (await response.json()) as { id: string };
  assert.equal(response.status, 201, JSON.stringify(file));
  return file.id;
}

/** Adds a test set with a question, and a run that no worker has begun. */
export async function addTestSet({ database }: SharedParley, { client, orgId }: TestOrg, botId: string) {
  const question = { question: 'When do you open?', words: ['nine'] };
  const set = await requireCreated(
    client.post(`/api/ext/bots/${botId}/test-sets`, { name: 'Opening hours', questions: [question] }),
  );
  const id = newId();
  const run = {
    id,
    orgId,
    botId,
    testSetId: set.id,
    questionCount: 1,
    questions: set.questions as never,
    settingsDigest: '',
  };
  await database.repository(TestRun).insert(run);
  return { test_set_id: set.id, run_id: id };
}
