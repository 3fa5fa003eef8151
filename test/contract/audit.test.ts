import assert from 'node:assert/strict';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { issuerOperations, paymentProviderOperations } from '../support/operation-sets.ts';
import {
  callOperation,
  buildResources,
  createCaller,
  needsSecondFactor,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';

/**
 * Resource that an audit event must name: by the id in the path, the created resource, or the caller's
 * account or session.
 */
type Subject =
  | { kind: string; id: keyof Ids }
  | { kind: string; made: true }
  | { kind: string; own: 'userId' | 'sessionId' };
type Ids = Record<string, string>;

const resourceFromPath = (kind: string, id: string = `${kind}_id`): Subject => ({ kind, id });
const createdResource = (kind: string): Subject => ({ kind, made: true });
const account: Subject = { kind: 'account', own: 'userId' };
const session: Subject = { kind: 'session', own: 'sessionId' };

/**
 * Resource that the audit event of each operation must name. The test of a new write operation fails until
 * its resource is listed here.
 */
const expectedResources: Record<string, Subject> = {
  logout: session,
  switchOrg: session,
  revokeOtherSessions: resourceFromPath('session', 'own_session_id'),
  revokeSession: resourceFromPath('session', 'own_session_id'),
  changePassword: account,
  updateMe: account,
  activateMfa: account,
  disableMfa: account,
  regenerateRecoveryCodes: account,
  setupMfa: account,
  unlinkIdentity: resourceFromPath('identity', 'provider'),
  updateEmailPreferences: account,
  updateConsolePreferences: account,
  createBot: createdResource('bot'),
  generateBot: createdResource('bot'),
  duplicateBot: createdResource('bot'),
  saveBotVersion: resourceFromPath('bot'),
  restoreBotVersion: resourceFromPath('bot'),
  deleteBot: resourceFromPath('bot'),
  updateBot: resourceFromPath('bot'),
  uploadBotAvatar: resourceFromPath('bot'),
  replaceBotDirectory: resourceFromPath('bot'),
  testBotProvider: resourceFromPath('bot'),
  tryBot: resourceFromPath('bot'),
  draftTestQuestions: resourceFromPath('bot'),
  draftAnswer: resourceFromPath('bot'),
  testAnswer: resourceFromPath('bot'),
  createDocument: createdResource('document'),
  uploadDocument: createdResource('document'),
  exportArchive: createdResource('archive_job'),
  importArchive: createdResource('archive_job'),
  putDocument: createdResource('document'),
  putDocumentFile: createdResource('document'),
  deleteDocument: resourceFromPath('document'),
  deleteExternalDocument: resourceFromPath('document'),
  reindexDocument: resourceFromPath('document'),
  updateDocument: resourceFromPath('document'),
  bulkUpdateConversations: resourceFromPath('conversation'),
  deleteConversation: resourceFromPath('conversation'),
  extractConversationFields: resourceFromPath('conversation'),
  reopenConversation: resourceFromPath('conversation'),
  resolveConversation: resourceFromPath('conversation'),
  assignInboxItem: resourceFromPath('conversation'),
  claimInboxItem: resourceFromPath('conversation'),
  releaseInboxItem: resourceFromPath('conversation'),
  replyInboxItem: createdResource('message'),
  sendConversationFile: createdResource('conversation_file'),
  createConversationNote: createdResource('conversation_note'),
  deleteConversationNote: resourceFromPath('conversation_note', 'note_id'),
  createSavedReply: createdResource('saved_reply'),
  updateSavedReply: resourceFromPath('saved_reply'),
  deleteSavedReply: resourceFromPath('saved_reply'),
  eraseContact: resourceFromPath('contact'),
  updateContact: resourceFromPath('contact'),
  setEncryption: resourceFromPath('encryption', 'org_id'),
  rotateEncryptionKey: resourceFromPath('encryption', 'org_id'),
  createBooking: createdResource('booking'),
  cancelBooking: resourceFromPath('booking'),
  updateCalendarSettings: createdResource('calendar_connection'),
  connectCalendar: { kind: 'calendar_attempt', own: 'sessionId' },
  disconnectCalendar: { kind: 'calendar_connection', own: 'sessionId' },
  saveAlertPolicy: createdResource('alert_policy'),
  deleteAlertPolicy: resourceFromPath('alert_policy', 'policy_id'),
  testAlertPolicy: resourceFromPath('alert_policy', 'policy_id'),
  startAlertVerification: resourceFromPath('alert_policy', 'policy_id'),
  finishAlertVerification: resourceFromPath('alert_policy', 'policy_id'),
  connectTelegram: { kind: 'alert_attempt', own: 'sessionId' },
  connectWhatsapp: { kind: 'alert_attempt', own: 'sessionId' },
  createFlow: createdResource('flow'),
  saveFlow: resourceFromPath('flow'),
  deleteFlow: resourceFromPath('flow'),
  activateFlow: resourceFromPath('flow'),
  deactivateFlow: resourceFromPath('flow'),
  testFlow: resourceFromPath('flow'),
  createWebhook: createdResource('webhook'),
  deleteWebhook: resourceFromPath('webhook', 'id'),
  updateWebhook: resourceFromPath('webhook', 'id'),
  replaceWebhookEvents: resourceFromPath('webhook', 'id'),
  rotateWebhookSecret: resourceFromPath('webhook', 'id'),
  testWebhook: resourceFromPath('webhook', 'id'),
  triggerWebhookEvent: resourceFromPath('webhook', 'id'),
  replayWebhookDelivery: createdResource('webhook_delivery'),
  saveBillingProfile: resourceFromPath('billing_profile', 'org_id'),
  createOrg: createdResource('org'),
  createChildOrg: createdResource('org'),
  updateOrg: resourceFromPath('org'),
  deleteOrg: resourceFromPath('org'),
  removeMember: resourceFromPath('membership'),
  setMemberRole: resourceFromPath('membership'),
  transferOwnership: resourceFromPath('membership'),
  createInvitation: createdResource('invitation'),
  resendInvitation: resourceFromPath('invitation'),
  revokeInvitation: resourceFromPath('invitation'),
  approveDeviceLogin: createdResource('device_login'),
  denyDeviceLogin: createdResource('device_login'),
  createSavedView: createdResource('saved_view'),
  updateSavedView: resourceFromPath('saved_view'),
  deleteSavedView: resourceFromPath('saved_view'),
  createTestSet: createdResource('test_set'),
  updateTestSet: resourceFromPath('test_set'),
  deleteTestSet: resourceFromPath('test_set'),
  addTestQuestions: resourceFromPath('test_set'),
  startTestRun: createdResource('test_run'),
  cancelTestRun: resourceFromPath('test_run', 'run_id'),
  createApiKey: createdResource('api_key'),
  revokeApiKey: resourceFromPath('api_key', 'key_id'),
  rotateApiKey: resourceFromPath('api_key', 'key_id'),
};

/**
 * Writes whose audit events name another user, or that need another service. test/accounts and test/billing
 * test them.
 */
const auditedElsewhere = new Set([...issuerOperations, ...paymentProviderOperations, 'deleteMe']);

/** Operations that only read, although their method is POST. */
const writesNothing = new Set(['pollTelegram', 'pollWhatsapp']);

const isAudited = ({ isWrite, auth, scope, id }: Operation) =>
  isWrite &&
  !['public', 'visitor'].includes(auth) &&
  !scope?.endsWith(':read') &&
  !auditedElsewhere.has(id) &&
  !writesNothing.has(id);

describe('the audit log names the resource, its workspace and the fields sent:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function callAndLoadEvents(operation: Operation, resources: Resources, body: object) {
    const response = await callOperation(
      operation,
      createCaller(operation, resources, parley),
      resources.ids,
      {
        body,
      },
    );
    assert.equal(response.status, operation.success.status, JSON.stringify(response.body));
    const requestId = response.headers.get('x-request-id')!;
    const events = await parley.database.repository(AuditEvent).findBy({ requestId });
    return { response, events };
  }

  function matchesSubject(
    subject: Subject,
    { resourceType, resourceId, userId }: AuditEvent,
    ids: Ids,
    { body }: ApiResponse,
  ) {
    if (resourceType !== subject.kind) return false;
    if ('id' in subject) return resourceId === ids[subject.id];
    // The response of generateBot contains the created bot next to its source.
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
          : buildValidBody(operation);
      const { response, events } = await callAndLoadEvents(operation, resources, body);
      const subject = expectedResources[id];
      assert.ok(subject, 'Say in expectedResources what it writes to.');
      assert.ok(
        events.some((event) => matchesSubject(subject, event, ids, response)),
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
