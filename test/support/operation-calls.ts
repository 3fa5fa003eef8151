import assert from 'node:assert/strict';
import { generateSync } from 'otplib';
import { EVENT_STREAM } from '../../api/http/event-stream.ts';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { exampleOf } from '../../api/http/schema-example.ts';
import { newId } from '../../core/ids.ts';
import { digestSecret } from '../../core/secret-digest.ts';
import { Contact } from '../../entities/contact.entity.ts';
import { LinkedIdentity } from '../../entities/linked-identity.entity.ts';
import { WebhookDelivery } from '../../entities/webhook-delivery.entity.ts';
import { Document } from '../../entities/document.entity.ts';
import { AccountRepository } from '../../repositories/account.repository.ts';
import { buildPerson, PASSWORD, type TestPerson } from '../accounts/support.ts';
import { pngOf, uploadAvatar } from './images.ts';
import { Membership } from '../../entities/membership.entity.ts';
import { User } from '../../entities/user.entity.ts';
import type { ApiAnswer, ApiClient, TestOrg, TestParley, TestProcess } from './parley.ts';

/** A workspace with one thing of each kind, by the name that its id has in the paths, and the token of its visitor. */
export interface Resources extends TestOrg {
  ids: Record<string, string>;
  visitorToken: string;
  /** Of the person, who is signed in. */
  accessToken: string;
  /** Of somebody whose second factor is on. */
  secondFactorToken: string;
}

/** Somebody who is a member of every workspace that is built. */
const EVERYBODYS_MEMBER = newId();

/** Where the schema's example is not a request that is valid in every respect, or reaches for something outside. */
const bodies: Record<string, object> = {
  createDocument: { source_type: 'raw_text', raw_text: 'The workshop opens at nine.' },
  createWebhook: { url: 'http://127.0.0.1:9/hook' },
  assignInboxItem: { assigned_to_id: EVERYBODYS_MEMBER },
  setMemberRole: { role: 'viewer' },
  createApiKey: { name: 'Website', scopes: ['bots:read'] },
};

/** What the example of a lead fills in. */
const leadFields = [
  { key: 'name', label: 'Name' },
  { key: 'email', label: 'E-mail', type: 'email' },
];

/** They end what their caller would repeat them with. */
export const endsItsCaller: ReadonlySet<string> = new Set([
  'logout',
  'deleteMe',
  'deleteOrg',
  'transferOwnership',
]);
/** They are answered by an identity provider; test/accounts/identities.test.ts has one. */
export const asksAnIssuer: ReadonlySet<string> = new Set(['startIdentity', 'finishIdentity', 'linkIdentity']);
/** Every call spends a try, so that nobody tries more codes by naming all calls alike, or the one code of an issuer. */
export const spendsTries: ReadonlySet<string> = new Set(['verifyOtp', ...asksAnIssuer]);
/** A generated call of these cannot wait at its commit: it spends a try, or is of somebody who may not, like the last owner. */
export const neverHeld: ReadonlySet<string> = new Set([...spendsTries, 'deleteMe']);
/** For somebody whose second factor is on. */
export const needsSecondFactor: ReadonlySet<string> = new Set(['disableMfa', 'regenerateRecoveryCodes']);

/** What people who sign in send: of the workspace that was built last. */
let accountBodies: Record<string, object> = {};

export async function buildResources(parley: TestParley): Promise<Resources> {
  const org = await buildPerson(parley);
  const [session, other] = [await parley.signIn(org), await parley.signIn(org)];
  const secondFactor = await prepareSecondFactor(parley, org);
  accountBodies = {
    ...(await prepareAccountBodies(parley, org, session.refreshToken)),
    ...secondFactor.bodies,
  };
  await parley.database
    .repository(LinkedIdentity)
    .insert({ id: newId(), userId: org.userId, provider: 'acme', issuer: 'acme', subject: org.userId });
  const { body: draft } = await org.client.post('/api/bots', {
    name: 'Help desk',
    handoff_enabled: true,
    lead_capture_config: { enabled: true, fields: leadFields },
    directory_config: {
      enabled: true,
      entries: [{ name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example.com/rivera' }],
    },
  });
  await org.client.patch(`/api/bots/${draft.id}`, { status: 'active' });
  const bot = await uploadAvatar(org.client, draft.id);
  const visit = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
  const document = await org.client.post(`/api/bots/${bot.id}/knowledge`, bodies['createDocument']);
  const webhook = await org.client.post('/api/webhooks', bodies['createWebhook']);
  const waiting = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
  for (const { status, body } of [visit, document, webhook, waiting])
    assert.equal(status, 201, JSON.stringify(body));
  const { session_id: waitingId, visitor_token: waitingToken } = waiting.body;
  await parley.client(waitingToken).post(`/api/public/sessions/${waitingId}/handoff`, {});
  const membershipId = await addMember(parley, org.orgId);
  const invitation = await org.client.post(`/api/orgs/${org.orgId}/invitations`, {
    email: `${newId()}@example.com`,
  });
  const apiKey = await session.client.post('/api/api-keys', { name: 'Website', scopes: ['bots:read'] });
  // As a worker leaves it, so that it can be indexed again.
  await parley.database.repository(Document).update(document.body.id, { status: 'indexed' });
  const deliveryId = newId();
  await parley.database.repository(WebhookDelivery).insert({
    id: deliveryId,
    orgId: org.orgId,
    webhookId: webhook.body.id,
    eventId: newId(),
    event: 'lead.captured',
    payload: {},
    status: 'delivered',
  });
  const contactId = newId();
  await parley.database.repository(Contact).insert({
    id: contactId,
    orgId: org.orgId,
    botId: bot.id,
    visitorId: 'v-1',
    browserId: contactId,
    name: 'Ada Lovelace',
  });
  const ids = {
    bot_id: bot.id,
    public_key: bot.public_key,
    session_id: visit.body.session_id,
    own_session_id: other.sessionId,
    provider: 'acme',
    conversation_id: waitingId,
    contact_id: contactId,
    assigned_to_id: org.userId,
    document_id: document.body.id,
    asset_id: bot.widget_theme.avatar_url.split('/').at(-1),
    id: webhook.body.id,
    delivery_id: deliveryId,
    org_id: org.orgId,
    user_id: org.userId,
    membership_id: membershipId,
    invitation_id: invitation.body.id,
    key_id: apiKey.body.id,
    token: parley.runtime.keyring.invitationToken(invitation.body.id, 1),
    unsubscribe_token: parley.runtime.services.emailPreferences.unsubscribeToken({
      userId: org.userId,
      category: 'leads',
    }),
  };
  accountBodies['transferOwnership'] = { membership_id: membershipId, password: PASSWORD };
  accountBodies['acceptInvitation'] = { token: ids.token, full_name: 'Grace Obi', password: PASSWORD };
  return {
    ...org,
    ids,
    visitorToken: visit.body.visitor_token,
    accessToken: session.accessToken,
    secondFactorToken: secondFactor.accessToken,
  };
}

async function addMember({ database }: TestParley, orgId: string): Promise<string> {
  const id = EVERYBODYS_MEMBER;
  const user = { id, email: `${id}@example.com`, fullName: 'Grace Obi', emailVerifiedAt: new Date() };
  await database.repository(User).createQueryBuilder().insert().values(user).orIgnore().execute();
  const membershipId = newId();
  await database.repository(Membership).insert({ id: membershipId, orgId, userId: id, role: 'member' });
  return membershipId;
}

/** A second factor that the person sets up, and somebody else's that is on. */
async function prepareSecondFactor(parley: TestParley, { orgId, userId }: TestPerson) {
  const { database, runtime } = parley;
  const { mfa, secondFactor } = runtime.services;
  const codeOf = (secret: string, steps = 0) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
  const pending = await mfa.setUp(database, userId);
  const other = await buildPerson(parley);
  const { secret } = await mfa.setUp(database, other.userId);
  await database.repository(Membership).insert({ id: newId(), orgId, userId: other.userId, role: 'member' });
  const { sessionId, accessToken } = await parley.signIn({ userId: other.userId, orgId });
  const person = { userId: other.userId, sessionId };
  await mfa.activate(database, person, codeOf(secret), await mfa.attempt(other.userId, ''));
  const account = await database.repository(User).findOneByOrFail({ id: other.userId });
  const code = codeOf(secret, 1);
  const bodies = {
    activateMfa: { code: codeOf(pending.secret, 1) },
    verifyMfa: { challenge_token: secondFactor.challenge(account), code },
    disableMfa: { password: PASSWORD, code },
    regenerateRecoveryCodes: { code },
  };
  return { accessToken, bodies };
}

/** What links, codes and passwords of the person are good for. */
async function prepareAccountBodies(
  { database, runtime }: TestParley,
  { email, orgId, userId }: TestPerson,
  refreshToken: string,
): Promise<Record<string, object>> {
  const accounts = new AccountRepository();
  const [verifyToken, resetToken] = [newId(), newId()];
  const links = { verify_email: verifyToken, reset_password: resetToken } as const;
  for (const purpose of ['verify_email', 'reset_password'] as const) {
    const digest = digestSecret(links[purpose]);
    await accounts.keepLink(database, { digest, userId, purpose, lifetimeSeconds: 600 });
  }
  const code = '123456';
  await accounts.keepCode(database, email, runtime.keyring.digest('sign-in-code', `${email} ${code}`), 600);
  const password = PASSWORD;
  const newPassword = 'four green lamps at dusk';
  return {
    register: { email: `new-${email}`, password, full_name: 'Grace Hopper' },
    login: { email, password },
    refreshToken: { refresh_token: refreshToken },
    switchOrg: { org_id: orgId },
    updateMe: { full_name: 'Ada King', default_org_id: orgId },
    deleteMe: { password },
    changePassword: { current_password: password, new_password: newPassword },
    forgotPassword: { email },
    resetPassword: { token: resetToken, new_password: newPassword },
    verifyEmail: { token: verifyToken },
    resendVerification: { email },
    requestOtp: { email },
    verifyOtp: { email, code },
  };
}

/** A JSON body that the operation accepts, or the fields of a form that go with its file. */
export function validBody({ id, body }: Operation): object {
  if (!body) return {};
  return (
    accountBodies[id] ??
    bodies[id] ??
    (exampleOf(isMultipart(body) ? body.multipart : body, 'request') as object)
  );
}

/** Ids that are not given are those of nothing. */
export function pathOf({ id, path, tag }: Operation, ids: Record<string, string> = {}): string {
  const known = tag === 'auth' ? { ...ids, session_id: ids['own_session_id'] ?? newId() } : ids;
  const { unsubscribe_token: token } = ids;
  return pathWith(path, id === 'unsubscribe' && token !== undefined ? { ...known, token } : known);
}

/** The path with these ids alone. */
export function pathWith(path: string, ids: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? newId()));
}

/** Two files that the operation accepts. */
export function filesFor({ id }: Operation): [File, File] {
  if (id === 'uploadBotAvatar') return [new File([pngOf(8, 8)], 'a.png'), new File([pngOf(9, 9)], 'b.png')];
  return [
    new File(['# Opening hours\n\nNine to five.\n'], 'hours.md'),
    new File(['# Opening hours\n\nTen to six.\n'], 'hours.md'),
  ];
}

/** What `fetch` needs for the operation, with the body given or a valid one. */
export function requestOf(
  operation: Operation,
  body: unknown = validBody(operation),
  [file]: [File, ...File[]] = filesFor(operation),
): RequestInit {
  const { method } = operation;
  if (!operation.body) return { method };
  if (!isMultipart(operation.body))
    return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const form = new FormData();
  for (const [name, text] of Object.entries(body as Record<string, string>)) form.set(name, text);
  form.set('file', file);
  return { method, body: form };
}

/** The token of whoever may call the operation on these resources. */
export function tokenOf(
  { id, auth }: Operation,
  { key, visitorToken, accessToken, secondFactorToken }: Resources,
): string | undefined {
  if (auth === 'member' || auth === 'user') return key;
  if (needsSecondFactor.has(id)) return secondFactorToken;
  if (auth === 'session' || auth === 'account') return accessToken;
  return auth === 'visitor' ? visitorToken : undefined;
}

/** Whoever may call the operation on these resources, at one of the processes. */
export function callerOf(operation: Operation, resources: Resources, process: TestProcess): ApiClient {
  return process.client(tokenOf(operation, resources));
}

/** The answer to a call of the operation that is valid, or has the body given. */
export async function answerTo(
  operation: Operation,
  client: ApiClient,
  ids: Resources['ids'],
  { headers, body }: { headers?: Record<string, string>; body?: object } = {},
): Promise<ApiAnswer> {
  const request = requestOf(operation, body);
  const response = await client.fetch(pathOf(operation, ids), {
    ...request,
    headers: { ...(request.headers as Record<string, string>), ...headers },
  });
  const type = response.headers.get('content-type') ?? '';
  // What is read stays open as long as anybody listens.
  const isEndless = operation.method === 'GET' && type.startsWith(EVENT_STREAM);
  const text = isEndless ? '' : await response.text();
  if (isEndless) await response.body?.cancel();
  const isJson = /json/.test(type);
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
