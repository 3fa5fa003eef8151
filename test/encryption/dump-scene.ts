import assert from 'node:assert/strict';
import { classifySmtpFailure } from '../../adapters/mail/smtp-outcome.ts';
import { newId } from '../../core/ids.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { BotGenerationRepository } from '../../repositories/bots/bot-generation.repository.ts';
import { mailSamples } from '../../services/mail/rendering/mail-samples.ts';
import { connectChat, savePolicy } from '../alerts/support.ts';
import { buildBookable } from '../bookings/support.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildFlowBot } from '../flows/flow-visits.ts';
import type { TestOrg } from '../support/parley.ts';
import type { SharedParleyWithWorker } from '../support/worker.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { connectMcp } from '../mcp/support.ts';

type Seal = (org: TestOrg) => Promise<unknown>;

const DAY_MS = 24 * 3600 * 1000;

/** Returns nine in the morning of the Monday after next, in UTC. */
function findWorkingHour(): string {
  const day = new Date(Date.now() + 8 * DAY_MS);
  while (day.getUTCDay() !== 1) day.setTime(day.getTime() + DAY_MS);
  return `${day.toISOString().slice(0, 10)}T09:00:00.000Z`;
}

/** Stores a word in an email, an alert, and a mail server's message about an address. */
async function storeWordInMails(parley: SharedParleyWithWorker, org: TestOrg, word: string): Promise<void> {
  const { orgId, userId } = org;
  const {
    mail: { mail, refusedAddresses },
    alerts: { alertQueue },
  } = parley.runtime.services;
  const data = { ...mailSamples.lead_captured, contact: `${word} Ada`, question: `${word} costs?` };
  await parley.database.transaction((db) =>
    mail.send(db, { to: 'ada@example.com', orgId, userId, template: 'lead_captured', data }),
  );
  const { id } = await savePolicy(org, { channel: 'telegram', destination: await connectChat(parley, org) });
  const policy = await parley.database.repository(AlertPolicy).findOneByOrFail({ id });
  await parley.database.transaction((db) =>
    alertQueue.enqueue({ orgId, db }, policy, {
      kind: 'summary',
      content: { lines: [[{ text: `${word} Ada has written.` }]] },
    }),
  );
  const address = `ada@${word}.example`;
  const response = `550 5.1.1 <${address}>: no such mailbox`;
  const outcome = classifySmtpFailure({ message: response, command: 'RCPT TO', response, responseCode: 550 });
  assert.ok(outcome.kind === 'refused' && outcome.isAddressBad);
  await refusedAddresses.record(parley.database, address, outcome.reason);
}

/** Stores a word in the sources of a generated bot, and in notes about it. */
async function storeWordInDrafts(
  parley: SharedParleyWithWorker,
  { orgId }: TestOrg,
  word: string,
): Promise<void> {
  const drafts = new BotGenerationRepository();
  const scope = { orgId, db: parley.database };
  const id = newId();
  const input = { description: `We sell ${word} jam.`, websiteUrl: `https://${word}.example/` };
  assert.equal(await drafts.insertNew(scope, { id, input }), true);
  const draftNotes = {
    notes: [`${word}.example answered 404`],
    failure: `Nothing of ${word} could be used.`,
  };
  assert.equal(await drafts.advance(scope, id, draftNotes), true);
}

async function storeWordInBookings(parley: SharedParleyWithWorker, seal: Seal, word: string): Promise<void> {
  const org = await buildBookable(parley);
  await seal(org);
  const { status, body } = await org.client.post('/api/bookings', {
    start: findWorkingHour(),
    summary: `Tasting of ${word}`,
    description: `Bring ${word} jam.`,
    attendee_name: `${word} Ada`,
    attendee_email: `ada@${word}.example`,
  });
  assert.equal(status, 201, JSON.stringify(body));
}

/** Stores a word in the state of a waiting flow about its visitor. */
async function storeWordInFlows(parley: SharedParleyWithWorker, seal: Seal, word: string): Promise<void> {
  const asked = { text: 'Whom do we deliver to?', input: 'text', variable: 'who' };
  const options = [{ id: 'yes', label: 'Yes, to {{vars.who}}' }];
  const graph = buildGraph(
    [
      buildNode('question', asked, 'first'),
      buildNode('question', { text: 'Shall we?', input: 'choice', options, variable: 'sure' }, 'second'),
      buildNode('end', { message: 'So it goes to {{vars.who}}.' }, 'done'),
    ],
    'first second',
    'second done',
  );
  const { visit, ...org } = await buildFlowBot(parley, [{ graph, trigger: 'first_message' }]);
  await seal(org);
  const { say } = await visit();
  await say('Hello');
  await say(`${word} Ada`);
}

/** Stores a word in a test set, and in the answers of a run of the test set. */
async function storeWordInTestSets({ client }: TestOrg, word: string): Promise<void> {
  const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
  const questions = [{ question: `Is there ${word} jam?`, source: `${word}.example`, words: [word] }];
  const sets = `/api/ext/bots/${bot.id}/test-sets` as const;
  const { body: set } = await client.post(sets, { name: 'Jam', questions });
  const runs = `${sets}/${set.id}/runs` as const;
  const { body: run } = await client.post(runs, {});
  await waitUntilEqual(async () => (await client.get(`${runs}/${run.id}`)).body.status, 'completed');
}

/** Stores a word in the log of MCP calls, by an assistant's search. */
async function storeWordInToolCalls(
  parley: SharedParleyWithWorker,
  org: TestOrg,
  word: string,
): Promise<void> {
  const { call, close } = await connectMcp(parley.baseUrl, org);
  assert.equal((await call('find_conversations', { query: word })).isError, false);
  await close();
}

/** Stores a word in all text outside conversations, contacts and documents, in workspaces with their own keys. */
export async function storeWordEverywhere(
  parley: SharedParleyWithWorker,
  org: TestOrg,
  seal: Seal,
  word: string,
): Promise<void> {
  await storeWordInMails(parley, org, word);
  await storeWordInDrafts(parley, org, word);
  await storeWordInBookings(parley, seal, word);
  await storeWordInFlows(parley, seal, word);
  await storeWordInToolCalls(parley, org, word);
  await storeWordInTestSets(org, word);
}
