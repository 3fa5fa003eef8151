import { Readable } from 'node:stream';
import { generateKey } from '../../adapters/keys/data-key.ts';
import { createStorage } from '../../adapters/storage/create-storage.ts';
import { EMPTY_PROFILE } from '../../core/billing/billing-profile.ts';
import { Receipt } from '../../entities/billing/receipt.entity.ts';
import { archivePartKey, receiptKey } from '../../core/storage-keys.ts';
import { EVENT_STREAM } from '../../api/http/response/event-stream.ts';
import { isMultipart, isRaw, type Operation } from '../../api/http/operation.ts';
import { DAY_MS, HOUR_MS } from '../../core/local-clock.ts';
import { ArchiveJob, ZERO_COUNTS } from '../../entities/archive/archive-job.entity.ts';
import { buildArchive } from '../archive/support.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { FlowSave } from '../../api/flows/flows.schemas.ts';
import { buildExample } from '../../api/http/openapi/schema-example.ts';
import { newId } from '../../core/ids.ts';
import {
  AlertAttempt,
  alertChannels,
  AlertDestination,
  type AlertChannel,
} from '../../entities/alerts/alert-destination.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import { WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';
import { LinkedIdentity } from '../../entities/accounts/linked-identity.entity.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { buildPerson, PASSWORD } from '../accounts/support.ts';
import { prepareAccountBodies, prepareFirstRun, prepareSecondFactor } from './account-bodies.ts';
import { buildPng, uploadAvatar } from './images.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { ApiResponse, ApiClient, TestOrg, SharedParley, TestProcess } from './parley.ts';
import { ReceivedResponse } from './api-client.ts';
import {
  addRatedAnswer,
  addNote,
  addVisitorFile,
  addSavedReply,
  addSavedView,
  addTestSet,
  requireCreated,
} from './extension-resources.ts';

/** A workspace with ids of its resources, by their parameter in paths, and the token of its visitor. */
export interface Resources extends TestOrg {
  ids: Record<string, string>;
  visitorToken: string;
  /** Access token of the workspace's owner. */
  accessToken: string;
  /** Access token of a person with an active second factor. */
  secondFactorToken: string;
}

/** Id of a person who is a member of every workspace that tests build. */
const SHARED_MEMBER_ID = newId();

/** Returns noon of a day in the future, in UTC, for a calendar that is open around the clock. */
const getNoonIn = (days: number) =>
  new Date((Math.floor(Date.now() / DAY_MS) + days) * DAY_MS + 12 * HOUR_MS);
const meeting = { start: getNoonIn(3).toISOString(), summary: 'Viewing', attendee_email: 'rui@example.com' };

/** Request bodies for operations whose schema example is not valid here or reaches an external service. */
const bodies: Record<string, object> = {
  createDocument: { source_type: 'raw_text', raw_text: 'The workshop opens at nine.' },
  putDocument: { source_type: 'raw_text', raw_text: 'The workshop opens at ten.' },
  putDocumentFile: { title: 'Opening hours', tags: '["hours"]' },
  createWebhook: { url: 'http://127.0.0.1:9/hook' },
  assignInboxItem: { assigned_to_id: SHARED_MEMBER_ID },
  setMemberRole: { role: 'viewer' },
  createApiKey: { name: 'Website', scopes: ['bots:read'] },
  generateBot: { description: 'Acme is a bicycle workshop in Lisbon that repairs and rents bicycles.' },
  duplicateBot: { name: 'Help desk Lisbon' },
  updateCalendarSettings: { business_open_hour: 0, business_close_hour: 24, weekdays_only: false },
  exportArchive: { include_contacts: false },
  startTestRun: {},
  createBooking: meeting,
  createWidgetBooking: meeting,
};

/** Fields of the contact form that the example of submitWidgetLead fills in. */
const leadFields = [
  { key: 'name', label: 'Name' },
  { key: 'email', label: 'Email', type: 'email' },
];

/** Operations that end the session or workspace of their caller, who could not repeat them. */
export const endsItsCaller: ReadonlySet<string> = new Set([
  'logout',
  'deleteMe',
  'deleteOrg',
  'transferOwnership',
]);
/** Operations for a person with an active second factor. */
export const needsSecondFactor: ReadonlySet<string> = new Set(['disableMfa', 'regenerateRecoveryCodes']);

/** Request bodies of account operations, for the workspace that was built last. */
let accountBodies: Record<string, object> = {};

/**
 * Builds a workspace with one resource of each kind.
 * @param operation the only operation that the caller calls; then only the bot and the resources that it needs are
 * built
 */
export async function buildResources(parley: SharedParley, operation?: Operation): Promise<Resources> {
  const org = await buildPerson(parley);
  const [session, other] = [await parley.signIn(org), await parley.signIn(org)];
  const isNeeded = (name: string) => !operation || operation.path.includes(`{${name}}`);
  const isOfAccounts = !operation || operation.tag === 'auth';
  const secondFactor = isOfAccounts ? await prepareSecondFactor(parley, org) : undefined;
  accountBodies = {
    ...(isOfAccounts && (await prepareAccountBodies(parley, org, session.refreshToken))),
    ...secondFactor?.bodies,
  };
  const bot = await buildBot(org, isNeeded('asset_id'));
  const isVisited = !operation || operation.auth === 'visitor';
  const visit = isVisited ? await visitBot(parley, bot) : undefined;
  const isInInbox = isNeeded('conversation_id') || operation?.id === 'bulkUpdateConversations';
  const conversationId = isInInbox ? await askForPeople(parley, bot) : undefined;
  const membershipId = await addMember(parley, org.orgId);
  const invitationId =
    isNeeded('invitation_id') || isNeeded('token') || operation?.id === 'acceptInvitation'
      ? await invite(org)
      : newId();
  const isBooked = !operation || operation.tag === 'bookings';
  const token = parley.runtime.keyring.deriveInvitationToken(invitationId, 1);
  const ids = {
    bot_id: bot.id,
    version: isNeeded('version') ? await saveVersion(org, bot.id) : undefined,
    public_key: bot.public_key,
    session_id: visit?.session_id,
    message_id: visit && isNeeded('message_id') ? await addRatedAnswer(parley, visit) : undefined,
    file_id: visit && isNeeded('file_id') ? await addVisitorFile(parley, visit) : undefined,
    own_session_id: other.sessionId,
    provider: isOfAccounts ? await linkIdentity(parley, org) : 'acme',
    conversation_id: conversationId,
    conversation_ids: conversationId,
    note_id: conversationId === undefined ? undefined : await addNote(org, conversationId),
    contact_id: isNeeded('contact_id') ? await addContact(parley, org, bot.id) : undefined,
    assigned_to_id: org.userId,
    ...(isNeeded('document_id') || isNeeded('external_id') || operation?.id === 'listExternalDocuments'
      ? await addDocument(parley, org, bot.id)
      : {}),
    asset_id: (bot.widget_theme['avatar_url'] as string | undefined)?.split('/').at(-1),
    ...(isNeeded('id') || isNeeded('delivery_id') ? await addWebhook(parley, org) : {}),
    booking_id: isBooked ? await addBooking(parley, org) : undefined,
    policy_id: isNeeded('policy_id') ? await addPolicy(parley, org, operation?.id) : undefined,
    flow_id: isNeeded('flow_id') ? await addFlow(org, bot.id) : undefined,
    ...(isNeeded('test_set_id') || operation?.id === 'listTestSets'
      ? await addTestSet(parley, org, bot.id)
      : {}),
    saved_reply_id:
      isNeeded('saved_reply_id') || operation?.id === 'listSavedReplies'
        ? await addSavedReply(org)
        : undefined,
    saved_view_id: isNeeded('saved_view_id') ? await addSavedView(session.client) : undefined,
    receipt_id: isNeeded('receipt_id') ? await addReceipt(parley, org) : undefined,
    job_id: isNeeded('job_id') ? await addExport(parley, org) : undefined,
    org_id: org.orgId,
    user_id: org.userId,
    membership_id: membershipId,
    invitation_id: invitationId,
    user_code:
      isNeeded('user_code') || operation?.id === 'pollDeviceLogin' ? await addDeviceLogin(parley) : undefined,
    key_id: isNeeded('key_id') ? await addKey(session.client) : undefined,
    token,
    unsubscribe_token: parley.runtime.services.mail.emailPreferences.signUnsubscribeToken({
      userId: org.userId,
      category: 'leads',
    }),
  };
  if (operation?.tag === 'encryption') await addWorkspaceKey(parley, org);
  if (!operation || operation.tag === 'tool-invocations') await addToolCall(parley, org.orgId);
  if (!operation || operation.tag === 'requests') await addLoggedRequest(parley, org.orgId);
  accountBodies['transferOwnership'] = { membership_id: membershipId, password: PASSWORD };
  accountBodies['createFlow'] = accountBodies['saveFlow'] = buildFlowBody(bot.id);
  for (const channel of alertChannels) {
    const attempt = await addAttempt(parley, org, channel);
    accountBodies[channel === 'telegram' ? 'pollTelegram' : 'pollWhatsapp'] = attempt;
    Object.assign(ids, attempt);
  }
  if (!operation || operation.id === 'completeFirstRun')
    accountBodies['completeFirstRun'] = await prepareFirstRun(parley);
  accountBodies['acceptInvitation'] = { token, full_name: 'Grace Obi', password: PASSWORD };
  return {
    ...org,
    ids: Object.fromEntries(
      Object.entries(ids).flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])),
    ),
    visitorToken: visit?.visitor_token ?? '',
    accessToken: session.accessToken,
    secondFactorToken: secondFactor?.accessToken ?? '',
  };
}

async function buildBot({ client }: TestOrg, hasAvatar: boolean) {
  const draft = await requireCreated(
    client.post('/api/bots', {
      name: 'Help desk',
      handoff_enabled: true,
      widget_theme: { files: 'all' },
      lead_capture_config: { enabled: true, fields: leadFields },
      directory_config: {
        enabled: true,
        entries: [{ name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example.com/rivera' }],
      },
    }),
  );
  const { body: bot } = await client.patch(`/api/bots/${draft.id}`, { status: 'active' });
  return hasAvatar ? uploadAvatar(client, draft.id) : bot;
}

async function saveVersion({ client }: TestOrg, botId: string): Promise<string> {
  return String((await requireCreated(client.post(`/api/bots/${botId}/versions`, {}))).version);
}

function buildFlowBody(botId: string) {
  return { ...(buildExample(FlowSave, 'request') as { name: string; graph: object }), bot_id: botId };
}

async function addFlow({ client }: TestOrg, botId: string): Promise<string> {
  return (await requireCreated(client.post('/api/flows', buildFlowBody(botId)))).id;
}

/** Adds the kind of workspace key that Parley stored when it still sealed content under the master key. */
async function addWorkspaceKey({ database, runtime }: SharedParley, { orgId }: TestOrg): Promise<void> {
  const id = newId();
  const wrappedKey = runtime.keyring.seal(
    generateKey().toString('base64'),
    `workspace_keys.wrapped_key:${id}`,
  );
  await database.repository(WorkspaceKey).insert({ id, orgId, version: 1, root: 'master', wrappedKey });
  await database.repository(OrgEncryption).insert({ orgId, keyVersion: 1 });
}

/** Adds an alert policy. Its destination is verified unless the operation starts the verification. */
async function addPolicy(
  { database }: SharedParley,
  { client, orgId }: TestOrg,
  operation = '',
): Promise<string> {
  const place = { channel: 'telegram', destination: '123456789' } as const;
  const { body: policy } = await client.put('/api/alerts', place);
  if (operation !== 'startAlertVerification')
    await database.repository(AlertDestination).update({ orgId, ...place }, { verifiedAt: new Date() });
  return policy.id;
}

/** Adds a pending link to connect an alert chat, which has not been opened. */
async function addAttempt({ database }: SharedParley, { orgId }: TestOrg, channel: AlertChannel) {
  const attempt = {
    id: newId(),
    orgId,
    channel,
    codeDigest: newId(),
    expiresAt: new Date(Date.now() + HOUR_MS),
  };
  await database.repository(AlertAttempt).insert(attempt);
  return { attempt_id: attempt.id };
}

function visitBot(parley: SharedParley, bot: { public_key: string }) {
  return requireCreated(parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {}));
}

/** Adds a conversation that waits in the inbox. */
async function askForPeople(parley: SharedParley, bot: { public_key: string }): Promise<string> {
  const { session_id: id, visitor_token: token } = await visitBot(parley, bot);
  await parley.client(token).post(`/api/public/sessions/${id}/handoff`, {});
  return id;
}

async function linkIdentity({ database }: SharedParley, { userId }: TestOrg): Promise<string> {
  const provider = 'acme';
  await database
    .repository(LinkedIdentity)
    .insert({ id: newId(), userId, provider, issuer: provider, subject: userId });
  return provider;
}

async function addDocument({ database }: SharedParley, { client }: TestOrg, botId: string) {
  const { id } = await requireCreated(client.post(`/api/bots/${botId}/knowledge`, bodies['createDocument']));
  // Ends the indexing as a worker does, so that the document can be indexed again.
  const externalId = `docs/${id}.md`;
  await database.repository(Document).update(id, { status: 'indexed', externalId });
  return { document_id: id, external_id: externalId };
}

async function addContact({ database }: SharedParley, { orgId }: TestOrg, botId: string): Promise<string> {
  const id = newId();
  const contact = { id, orgId, botId, visitorId: 'v-1', browserId: id, name: 'Ada Lovelace' };
  await database.repository(Contact).insert(contact);
  return id;
}

/** Adds a booking to a calendar that accepts more bookings. */
async function addBooking({ database }: SharedParley, { client, orgId }: TestOrg): Promise<string> {
  await client.patch('/api/calendar/settings', bodies['updateCalendarSettings']);
  const id = newId();
  const [startsAt, endsAt] = [getNoonIn(4), new Date(getNoonIn(4).getTime() + HOUR_MS)];
  const times = { startsAt, endsAt, blockedUntil: endsAt, timezone: 'UTC' };
  await database.repository(Booking).insert({ id, orgId, source: 'team', summary: 'Viewing', ...times });
  return id;
}

/** Adds a pending login of a device; returns its user code. */
async function addDeviceLogin({ database, runtime }: SharedParley): Promise<string> {
  const { deviceLogins } = runtime.services.team;
  const { login, deviceCode } = await deviceLogins.start(database, 'parley on laptop', '127.0.0.1');
  accountBodies['pollDeviceLogin'] = { device_code: deviceCode };
  return login.userCode;
}

/** Adds a receipt with its file. */
async function addReceipt({ database, runtime }: SharedParley, { orgId }: TestOrg): Promise<string> {
  const id = newId();
  const storage = await createStorage(runtime.settings);
  const { sha256 } = await storage.put(receiptKey(orgId, id), Readable.from(['%PDF-1.4']));
  await database.repository(Receipt).insert({
    id,
    orgId,
    invoiceId: `in_${id}`,
    number: '9F2C41AB-0001',
    issuedAt: new Date(),
    amountCents: 9900,
    taxCents: 0,
    currency: 'usd',
    status: 'paid',
    description: '1 × Pro',
    addressee: EMPTY_PROFILE,
    sha256,
    storedAt: new Date(),
  });
  return id;
}

/** Adds a completed export with its file. */
async function addExport({ database, runtime }: SharedParley, { orgId }: TestOrg): Promise<string> {
  const id = newId();
  const storage = await createStorage(runtime.settings);
  await storage.put(archivePartKey({ orgId, id, keyId: null }, 1), Readable.from([buildSmallArchive()]));
  await database.repository(ArchiveJob).insert({
    id,
    orgId,
    kind: 'export',
    status: 'completed',
    selection: { botIds: null, from: null, to: null, includesContacts: true },
    counts: ZERO_COUNTS,
    parts: 1,
    finishedAt: new Date(),
    expiresAt: new Date(Date.now() + DAY_MS),
  });
  return id;
}

/** Adds a webhook endpoint with a delivery. */
async function addWebhook({ database }: SharedParley, { client, orgId }: TestOrg) {
  const { id } = await requireCreated(client.post('/api/webhooks', bodies['createWebhook']));
  const deliveryId = newId();
  await database.repository(WebhookDelivery).insert({
    id: deliveryId,
    orgId,
    webhookId: id,
    eventId: newId(),
    event: 'lead.captured',
    payload: {},
    status: 'delivered',
  });
  return { id, delivery_id: deliveryId };
}

async function addToolCall({ database }: SharedParley, orgId: string): Promise<void> {
  const call = { id: newId(), orgId, apiKeyId: newId(), tool: 'list_bots', outcome: 'succeeded' as const };
  await database.repository(ToolInvocation).insert({ ...call, durationMs: 1, requestId: 'req_1' });
}

async function addLoggedRequest({ database }: SharedParley, orgId: string): Promise<void> {
  const call = { id: newId(), orgId, operation: 'listBots', method: 'GET', path: '/api/bots' };
  await database.repository(LoggedRequest).insert({ ...call, apiKeyId: newId(), status: 200, durationMs: 1 });
}

async function invite({ client, orgId }: TestOrg): Promise<string> {
  const email = `${newId()}@example.com`;
  return (await requireCreated(client.post(`/api/orgs/${orgId}/invitations`, { email }))).id;
}

async function addKey(client: ApiClient): Promise<string> {
  return (await requireCreated(client.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] }))).id;
}

async function addMember({ database }: SharedParley, orgId: string): Promise<string> {
  const id = SHARED_MEMBER_ID;
  const user = { id, email: `${id}@example.com`, fullName: 'Grace Obi', emailVerifiedAt: new Date() };
  await database.repository(User).createQueryBuilder().insert().values(user).orIgnore().execute();
  const membershipId = newId();
  await database.repository(Membership).insert({ id: membershipId, orgId, userId: id, role: 'member' });
  return membershipId;
}

/** Builds a JSON body that the operation accepts, or the fields of a form that accompany its file. */
export function buildValidBody({ id, body }: Operation): object {
  if (!body) return {};
  return (
    accountBodies[id] ??
    bodies[id] ??
    (buildExample(isRaw(body) ? body.raw : isMultipart(body) ? body.multipart : body, 'request') as object)
  );
}

/** Builds the operation's URL path. Missing ids are replaced by ids of no resource. */
export function buildOperationPath({ id, path, tag }: Operation, ids: Record<string, string> = {}): string {
  const known: Record<string, string> =
    tag === 'auth' ? { ...ids, session_id: ids['own_session_id'] ?? newId() } : { ...ids };
  if (tag === 'bookings') known['provider'] = 'local';
  const { unsubscribe_token: token } = ids;
  return fillPath(path, id === 'unsubscribe' && token !== undefined ? { ...known, token } : known);
}

/** Fills these ids into a URL path; ids that are missing become random. */
export function fillPath(path: string, ids: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? newId()));
}

/** Builds two files that the operation accepts as an upload. */
export function buildFiles({ id }: Operation): [File, File] {
  if (id === 'uploadBotAvatar')
    return [new File([buildPng(8, 8)], 'a.png'), new File([buildPng(9, 9)], 'b.png')];
  if (id === 'importArchive')
    return [
      new File([buildSmallArchive()], 'a.tar.gz'),
      new File([buildSmallArchive('0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b')], 'b.tar.gz'),
    ];
  return [
    new File(['# Opening hours\n\nNine to five.\n'], 'hours.md'),
    new File(['# Opening hours\n\nTen to six.\n'], 'hours.md'),
  ];
}

/** Builds a valid request of the operation for `fetch`, with the given body if there is one. */
export function buildOperationRequest(
  operation: Operation,
  body: unknown = buildValidBody(operation),
  files?: [File, ...File[]],
): RequestInit {
  const { method } = operation;
  if (!operation.body) return { method };
  if (!isMultipart(operation.body))
    return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const form = new FormData();
  for (const [name, text] of Object.entries(body as Record<string, string | undefined>))
    if (text !== undefined) form.set(name, text);
  form.set('file', (files ?? buildFiles(operation))[0]);
  return { method, body: form };
}

/** Returns the token of the resources' workspace that permits the operation. */
export function selectToken(
  { id, auth }: Operation,
  { key, visitorToken, accessToken, secondFactorToken }: Resources,
): string | undefined {
  if (auth === 'member' || auth === 'user') return key;
  if (needsSecondFactor.has(id)) return secondFactorToken;
  if (auth === 'session' || auth === 'account') return accessToken;
  return auth === 'visitor' ? visitorToken : undefined;
}

/** Returns a client of one API process that may call the operation on these resources. */
export function createCaller(
  operation: Operation,
  resources: Resources,
  process: Pick<TestProcess, 'client'>,
): ApiClient {
  return process.client(selectToken(operation, resources));
}

/** Calls the operation with a valid request, or with the given body. */
export async function callOperation(
  operation: Operation,
  client: ApiClient,
  ids: Resources['ids'],
  { headers, body }: { headers?: Record<string, string>; body?: object } = {},
): Promise<ApiResponse> {
  const request = buildOperationRequest(operation, body);
  const response = await client.fetch(buildOperationPath(operation, ids), {
    ...request,
    headers: { ...(request.headers as Record<string, string>), ...headers },
  });
  const type = response.headers.get('content-type') ?? '';
  // Do not read an event stream to its end: it stays open until its client leaves.
  const isEndless = operation.method === 'GET' && type.startsWith(EVENT_STREAM);
  const text = isEndless ? '' : await response.text();
  if (isEndless) await response.body?.cancel();
  const isJson = /json/.test(type);
  return new ReceivedResponse<unknown>(response, isJson ? JSON.parse(text) : text);
}

/** Builds an archive with one bot and no conversation. */
function buildSmallArchive(botId = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1a'): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buildArchive({ bots: [{ id: botId, name: 'Guide' }] }));
}
