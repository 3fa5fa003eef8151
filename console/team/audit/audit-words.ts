import { getOwn } from '../../../browser/own-value.ts';
import type { AuditEvent } from '../../client/types.ts';
import { capitalize } from '../../components/text/capitalize.ts';

/**
 * Sentence about each operation in the audit log, to follow the name of the person. `{it}` stands for the
 * object, `{fields}` for the fields in the request.
 */
export const sentences: Readonly<Record<string, string>> = {
  createBot: 'created {it}',
  generateBot: 'generated {it} from a description',
  updateBot: 'changed {fields} of {it}',
  deleteBot: 'deleted {it}',
  duplicateBot: 'duplicated {it}',
  tryBot: 'tested {it}',
  testBotProvider: 'tested the AI provider of {it}',
  uploadBotAvatar: 'uploaded an avatar for {it}',
  replaceBotDirectory: 'replaced the directory of {it}',
  createTestSet: 'created {it}',
  updateTestSet: 'changed {fields} of {it}',
  deleteTestSet: 'deleted {it}',
  addTestQuestions: 'added questions to {it}',
  draftTestQuestions: 'drafted questions for {it}',
  draftAnswer: 'drafted an answer for {it}',
  testAnswer: 'tested an answer for {it}',
  startTestRun: 'started {it}',
  cancelTestRun: 'canceled {it}',
  saveBotVersion: 'saved a version of {it}',
  restoreBotVersion: 'restored a version of {it}',
  createDocument: 'added {it}',
  uploadDocument: 'uploaded {it}',
  putDocument: 'added or updated {it}',
  putDocumentFile: 'uploaded {it}',
  updateDocument: 'changed {fields} of {it}',
  deleteDocument: 'deleted {it}',
  deleteExternalDocument: 'deleted {it}',
  reindexDocument: 're-synced {it}',
  bulkUpdateConversations: '{action} {it}',
  deleteConversation: 'deleted {it}',
  resolveConversation: 'resolved {it}',
  reopenConversation: 'reopened {it}',
  extractConversationFields: 'captured fields from {it}',
  createConversationNote: 'added {it}',
  deleteConversationNote: 'deleted {it}',
  updateContact: 'changed {fields} of {it}',
  eraseContact: 'deleted {it}',
  claimInboxItem: 'took over {it}',
  assignInboxItem: 'assigned {it}',
  replyInboxItem: 'replied to a visitor',
  sendConversationFile: 'sent a file to a visitor',
  releaseInboxItem: 'handed {it} back to the bot',
  createSavedReply: 'created {it}',
  updateSavedReply: 'changed {fields} of {it}',
  deleteSavedReply: 'deleted {it}',
  createSavedView: 'saved {it}',
  updateSavedView: 'changed {fields} of {it}',
  deleteSavedView: 'deleted {it}',
  connectCalendar: 'connected {it}',
  disconnectCalendar: 'disconnected {it}',
  updateCalendarSettings: 'changed {fields} of the calendar',
  createBooking: 'booked {it}',
  cancelBooking: 'canceled {it}',
  saveAlertPolicy: 'saved {it}',
  deleteAlertPolicy: 'deleted {it}',
  connectTelegram: 'connected Telegram',
  connectWhatsapp: 'connected WhatsApp',
  pollTelegram: 'checked the Telegram connection',
  pollWhatsapp: 'checked the WhatsApp connection',
  testAlertPolicy: 'sent a test with {it}',
  startAlertVerification: 'started verifying {it}',
  finishAlertVerification: 'verified {it}',
  createWebhook: 'added {it}',
  updateWebhook: 'changed {fields} of {it}',
  deleteWebhook: 'deleted {it}',
  replaceWebhookEvents: 'changed the events of {it}',
  testWebhook: 'sent a test event to {it}',
  triggerWebhookEvent: 'sent an example event to {it}',
  rotateWebhookSecret: 'rotated the secret of {it}',
  replayWebhookDelivery: 'replayed {it}',
  createOrg: 'created {it}',
  updateOrg: 'changed {fields} of {it}',
  deleteOrg: 'deleted {it}',
  createChildOrg: 'created {it}',
  setMemberRole: 'changed the role of {it}',
  removeMember: 'removed {it}',
  transferOwnership: 'transferred ownership to {it}',
  createInvitation: 'sent {it}',
  revokeInvitation: 'revoked {it}',
  resendInvitation: 'resent {it}',
  acceptInvitation: 'joined with {it}',
  createApiKey: 'created {it}',
  revokeApiKey: 'revoked {it}',
  rotateApiKey: 'rotated {it}',
  approveDeviceLogin: 'approved a device sign-in',
  denyDeviceLogin: 'denied a device sign-in',
  login: 'signed in',
  verifyOtp: 'signed in with an emailed code',
  verifyMfa: 'signed in with two-factor authentication',
  finishIdentity: 'signed in with an identity provider',
  switchOrg: 'opened this workspace',
  logout: 'signed out',
  revokeSession: 'signed out a device',
  revokeOtherSessions: 'signed out of other devices',
  updateMe: 'changed {fields} of their account',
  deleteMe: 'deleted their account',
  changePassword: 'changed their password',
  resetPassword: 'reset their password',
  setupMfa: 'started two-factor setup',
  activateMfa: 'turned on two-factor authentication',
  disableMfa: 'turned off two-factor authentication',
  regenerateRecoveryCodes: 'regenerated their recovery codes',
  linkIdentity: 'linked a sign-in provider',
  unlinkIdentity: 'unlinked a sign-in provider',
  updateEmailPreferences: 'changed their email notifications',
  updateConsolePreferences: 'changed their preferences',
  createCheckout: 'started a checkout',
  cancelSubscription: 'canceled the subscription',
  saveBillingProfile: 'changed the billing details',
  setEncryption: 'changed the encryption mode',
  rotateEncryptionKey: 'rotated the encryption key',
  createFlow: 'created {it}',
  saveFlow: 'changed {it}',
  deleteFlow: 'deleted {it}',
  activateFlow: 'activated {it}',
  deactivateFlow: 'deactivated {it}',
  testFlow: 'tested {it}',
  importArchive: 'imported an archive',
  exportArchive: 'exported an archive',
};

const actions: Record<string, string> = { resolve: 'resolved', reopen: 'reopened', delete: 'deleted' };

const listFormat = new Intl.ListFormat('en');

/** Names of the kinds of objects in the audit log. */
const resourceNames: Record<string, string> = {
  account: 'Account',
  alert_attempt: 'Alert connection',
  alert_policy: 'Alert',
  api_key: 'API key',
  archive_job: 'Archive',
  billing_profile: 'Billing details',
  booking: 'Booking',
  bot: 'Bot',
  calendar_connection: 'Calendar',
  contact: 'Contact',
  conversation: 'Conversation',
  conversation_note: 'Note',
  document: 'Document',
  encryption: 'Encryption',
  failed_sign_in: 'Failed sign-in',
  flow: 'Flow',
  invitation: 'Invitation',
  membership: 'Member',
  message: 'Message',
  org: 'Workspace',
  saved_reply: 'Saved reply',
  test_set: 'Test set',
  test_run: 'Test run',
  saved_view: 'Saved view',
  session: 'Sign-in',
  subscription: 'Subscription',
  webhook: 'Webhook endpoint',
  delivery: 'Delivery',
};

/** Labels of API fields in the audit log, where the console's label differs from the field's name. */
const fieldNames: Record<string, string> = {
  allowed_domains: 'Allowed domains',
  api_key: 'API key',
  avatar_url: 'Avatar',
  bot_id: 'Bot',
  contact_fields_config: 'Auto-captured fields',
  custom_endpoint_config: 'Custom endpoint',
  default_org_id: 'Default workspace',
  directory_config: 'Directory',
  fallback_message: 'Fallback message',
  full_name: 'Name',
  handoff_config: 'Handoff settings',
  handoff_enabled: 'Handoff',
  is_active: 'Status',
  is_public: 'Public access',
  lead_capture_config: 'Lead form',
  llm_provider: 'AI provider',
  max_tokens: 'Max response length',
  monthly_message_cap: 'Monthly response limit',
  rate_limit_per_minute: 'Rate limit',
  raw_text: 'Text',
  rotate_identity_secret: 'Identity secret',
  strict_kb_mode: 'Only answer from knowledge',
  system_prompt: 'Prompt',
  time_zone: 'Time zone',
  timezone: 'Time zone',
  thinking_budget_tokens: 'Thinking budget',
  thinking_enabled: 'Thinking',
  url: 'URL',
  welcome_message: 'Welcome message',
  widget_theme: 'Appearance',
};

type Event = Pick<AuditEvent, 'operation' | 'action' | 'resource_type' | 'changed_fields'>;

/**
 * Describes an event of the audit log, to follow the name of the person. Keeps the placeholder `{it}` for the
 * object.
 */
export function describeEvent(event: Event): string {
  if (event.resource_type === 'failed_sign_in') return 'failed to sign in';
  const sentence = sentences[event.operation] ?? `ran “${nameOperation(event.operation)}” on {it}`;
  return sentence
    .replace('{fields}', listFormat.format(event.changed_fields.map(nameField)) || 'settings')
    .replace('{action}', actions[event.action ?? ''] ?? 'changed');
}

/** Operations that the audit log may contain, with their names, as options of a filter. */
export const operationOptions = Object.keys(sentences)
  .map((operation) => [operation, nameOperation(operation)] as const)
  .toSorted(([, a], [, b]) => a.localeCompare(b));

/** Kinds of objects in the audit log, with their names, as options of a filter. */
export const resourceOptions = Object.entries(resourceNames).toSorted(([, a], [, b]) => a.localeCompare(b));

function nameOperation(operation: string): string {
  return capitalize(operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

export function nameField(field: string): string {
  return getOwn(fieldNames, field) ?? capitalize(field.replaceAll('_', ' '));
}

export function nameResource(type: string): string {
  return getOwn(resourceNames, type) ?? capitalize(type.replaceAll('_', ' '));
}

/** Names an object in the audit log whose own name is unknown: `a bot`, `an invitation`. */
export function nameUnknown(type: string): string {
  const name = nameResource(type);
  const noun = name.startsWith('API') ? name : name.charAt(0).toLowerCase() + name.slice(1);
  return `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
