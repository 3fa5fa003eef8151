import assert from 'node:assert/strict';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { asksAnIssuer, asksThePaymentProvider } from '../support/spends-tries.ts';
import {
  responseTo,
  buildResources,
  callerOf,
  needsSecondFactor,
  validBody,
  type Resources,
} from '../support/operation-calls.ts';
import { sharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';

/** What is written to, by the name of its id in the path, or the kind of thing that is made or meant. */
type Subject =
  | { kind: string; id: keyof Ids }
  | { kind: string; made: true }
  | { kind: string; own: 'userId' | 'sessionId' };
type Ids = Record<string, string>;

const of = (kind: string, id: string = `${kind}_id`): Subject => ({ kind, id });
const made = (kind: string): Subject => ({ kind, made: true });
const account: Subject = { kind: 'account', own: 'userId' };
const session: Subject = { kind: 'session', own: 'sessionId' };

/** By operation; a new one that people write with is missing here until somebody says what it writes to. */
const subjectsOf: Record<string, Subject> = {
  logout: session,
  switchOrg: session,
  revokeOtherSessions: of('session', 'own_session_id'),
  revokeSession: of('session', 'own_session_id'),
  changePassword: account,
  updateMe: account,
  activateMfa: account,
  disableMfa: account,
  regenerateRecoveryCodes: account,
  setupMfa: account,
  unlinkIdentity: of('identity', 'provider'),
  updateEmailPreferences: account,
  createBot: made('bot'),
  generateBot: made('bot'),
  duplicateBot: made('bot'),
  saveBotVersion: of('bot'),
  restoreBotVersion: of('bot'),
  deleteBot: of('bot'),
  updateBot: of('bot'),
  uploadBotAvatar: of('bot'),
  replaceBotDirectory: of('bot'),
  testBotProvider: of('bot'),
  tryBot: of('bot'),
  createDocument: made('document'),
  uploadDocument: made('document'),
  exportArchive: made('archive_job'),
  importArchive: made('archive_job'),
  deleteDocument: of('document'),
  reindexDocument: of('document'),
  updateDocument: of('document'),
  bulkUpdateConversations: of('conversation'),
  deleteConversation: of('conversation'),
  extractConversationFields: of('conversation'),
  reopenConversation: of('conversation'),
  resolveConversation: of('conversation'),
  assignInboxItem: of('conversation'),
  claimInboxItem: of('conversation'),
  releaseInboxItem: of('conversation'),
  replyInboxItem: made('message'),
  eraseContact: of('contact'),
  updateContact: of('contact'),
  setEncryption: of('encryption', 'org_id'),
  rotateEncryptionKey: of('encryption', 'org_id'),
  createBooking: made('booking'),
  cancelBooking: of('booking'),
  updateCalendarSettings: made('calendar_connection'),
  connectCalendar: { kind: 'calendar_attempt', own: 'sessionId' },
  disconnectCalendar: { kind: 'calendar_connection', own: 'sessionId' },
  saveAlertPolicy: made('alert_policy'),
  deleteAlertPolicy: of('alert_policy', 'policy_id'),
  testAlertPolicy: of('alert_policy', 'policy_id'),
  startAlertVerification: of('alert_policy', 'policy_id'),
  finishAlertVerification: of('alert_policy', 'policy_id'),
  connectTelegram: { kind: 'alert_attempt', own: 'sessionId' },
  connectWhatsapp: { kind: 'alert_attempt', own: 'sessionId' },
  createFlow: made('flow'),
  saveFlow: of('flow'),
  deleteFlow: of('flow'),
  activateFlow: of('flow'),
  deactivateFlow: of('flow'),
  testFlow: of('flow'),
  createWebhook: made('webhook'),
  deleteWebhook: of('webhook', 'id'),
  updateWebhook: of('webhook', 'id'),
  replaceWebhookEvents: of('webhook', 'id'),
  rotateWebhookSecret: of('webhook', 'id'),
  testWebhook: of('webhook', 'id'),
  replayWebhookDelivery: made('webhook_delivery'),
  saveBillingProfile: of('billing_profile', 'org_id'),
  createOrg: made('org'),
  createChildOrg: made('org'),
  updateOrg: of('org'),
  deleteOrg: of('org'),
  removeMember: of('membership'),
  setMemberRole: of('membership'),
  transferOwnership: of('membership'),
  createInvitation: made('invitation'),
  resendInvitation: of('invitation'),
  revokeInvitation: of('invitation'),
  createApiKey: made('api_key'),
  revokeApiKey: of('api_key', 'key_id'),
  rotateApiKey: of('api_key', 'key_id'),
};

/** They are noted of somebody else, or need somebody who cannot be asked here: test/accounts and test/billing have them. */
const notedElsewhere = new Set([...asksAnIssuer, ...asksThePaymentProvider, 'deleteMe']);

/** They look, by a POST. */
const writesNothing = new Set(['pollTelegram', 'pollWhatsapp']);

const isAudited = ({ isWrite, auth, scope, id }: Operation) =>
  isWrite &&
  !['public', 'visitor'].includes(auth) &&
  !scope?.endsWith(':read') &&
  !notedElsewhere.has(id) &&
  !writesNothing.has(id);

describe('the audit log names what was written to, where, and the fields that were sent:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await sharedParley();
  });

  async function eventsAfter(operation: Operation, resources: Resources, body: object) {
    const response = await responseTo(operation, callerOf(operation, resources, parley), resources.ids, {
      body,
    });
    assert.equal(response.status, operation.success.status, JSON.stringify(response.body));
    const requestId = response.headers.get('x-request-id')!;
    const events = await parley.database.repository(AuditEvent).findBy({ requestId });
    return { response, events };
  }

  function isOf(
    subject: Subject,
    { resourceType, resourceId, userId }: AuditEvent,
    ids: Ids,
    { body }: ApiResponse,
  ) {
    if (resourceType !== subject.kind) return false;
    if ('id' in subject) return resourceId === ids[subject.id];
    // What is generated stands beside what it was made of.
    if ('made' in subject)
      return resourceId === ((body as { bot?: { id: string } }).bot ?? (body as { id: string })).id;
    return subject.own === 'userId' ? resourceId === userId : resourceId !== null;
  }

  for (const operation of operations.filter(isAudited)) {
    const { id, body: spec } = operation;
    it(id, async () => {
      const resources = await buildResources(parley, operation);
      const { ids, orgId, userId } = resources;
      const body =
        id === 'bulkUpdateConversations'
          ? { ids: [ids['conversation_id']], action: 'resolve' }
          : validBody(operation);
      const { response, events } = await eventsAfter(operation, resources, body);
      const subject = subjectsOf[id];
      assert.ok(subject, 'Say in subjectsOf what it writes to.');
      assert.ok(
        events.some((event) => isOf(subject, event, ids, response)),
        JSON.stringify(events),
      );
      for (const event of events) {
        assert.equal(event.operation, id);
        assert.ok(event.resourceId !== null);
        const sent = spec && !isMultipart(spec) ? Object.keys(body) : [];
        assert.deepEqual(event.changedFields, sent);
      }
      if (needsSecondFactor.has(id)) return;
      assert.ok(events.every((event) => event.userId === userId));
      const { id: made } = response.body as { id: string };
      const orgIds = { createOrg: [made], createChildOrg: [orgId, made] }[id] ?? [orgId];
      assert.deepEqual([...new Set(events.map((event) => event.orgId))].toSorted(), orgIds.toSorted());
    });
  }
});
