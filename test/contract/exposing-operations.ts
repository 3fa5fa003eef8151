import { readFileSync } from 'node:fs';
import { isContentSpec, type Operation } from '../../api/http/operation.ts';

/** A row of the table in docs/security.md that lists operations by what they expose. */
export interface ExposureRow {
  operation: string;
  gives: string;
  signIn: string;
  mail: string;
}

const ROW = /^\| (access|content) +\| ([^|]+?) +\| ([^|]+?) +\| ([^|]+?) +\|/gm;

/** Reads the table "Lasting access and export of content" of docs/security.md. */
export function readDocumentedExposures(): ExposureRow[] {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  return [...page.matchAll(ROW)].flatMap(([, gives = '', signIn = '', mail = '', operations = '']) =>
    [...operations.matchAll(/`(\w+)`/g)].map(([, operation = '']) => ({ operation, gives, signIn, mail })),
  );
}

/** Builds an operation’s row of the table in docs/security.md from the operation's definition. */
export function toExposureRow({ id, exposes, freshProof, notifies }: Operation): ExposureRow {
  return {
    operation: id,
    gives: exposes ?? '',
    signIn: describeSignIn(freshProof),
    mail: notifies === undefined ? 'no' : notifies === 'handler' ? 'on a change' : 'always',
  };
}

function describeSignIn(freshProof: Operation['freshProof']): string {
  if (freshProof === undefined) return 'no';
  if (freshProof === 'or_in_body') return 'or a proof in the body';
  return freshProof === true ? 'always' : 'for some bodies';
}

/**
 * Returns whether an operation must be classified by its exposure: each write, and each read of
 * content or files.
 */
export function needsExposureDecision({ isWrite, readsContent, success }: Operation): boolean {
  return isWrite || readsContent || isContentSpec(success.spec);
}

/**
 * Operations that neither grant lasting access nor export content, by reason. A new operation must be listed
 * here or declare `exposes`.
 */
export const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'It signs in, or asks for email to the address: it needs secrets of its own, and new sign-ins are emailed.':
    [
      'login',
      'verifyMfa',
      'verifyOtp',
      'refreshToken',
      'startIdentity',
      'finishIdentity',
      'register',
      'verifyEmail',
      'resendVerification',
      'requestOtp',
      'forgotPassword',
      'resetPassword',
      'completeFirstRun',
    ],
  'It ends access.': [
    'logout',
    'revokeSession',
    'revokeOtherSessions',
    'revokeApiKey',
    'revokeInvitation',
    'deleteWebhook',
    'deleteAlertPolicy',
    'disconnectCalendar',
    'denyDeviceLogin',
    'deactivateFlow',
    'cancelSubscription',
  ],
  'It removes something, and sends nothing.': [
    'deleteBot',
    'deleteDocument',
    'deleteExternalDocument',
    'deleteConversation',
    'deleteFlow',
    'deleteSavedReply',
    'deleteSavedView',
    'deleteConversationNote',
    'deleteTestSet',
    'eraseContact',
    'bulkUpdateConversations',
  ],
  'It changes or adds content of the workspace, which stays there.': [
    'generateBot',
    'saveBotVersion',
    'uploadBotAvatar',
    'replaceBotDirectory',
    'createDocument',
    'uploadDocument',
    'putDocument',
    'putDocumentFile',
    'updateDocument',
    'reindexDocument',
    'extractConversationFields',
    'resolveConversation',
    'reopenConversation',
    'updateContact',
    'createFlow',
    'createSavedReply',
    'createConversationNote',
    'updateSavedReply',
    'createSavedView',
    'updateSavedView',
    'createTestSet',
    'updateTestSet',
    'addTestQuestions',
    'createBooking',
    'cancelBooking',
    'updateCalendarSettings',
  ],
  'It answers a visitor, or moves a conversation within the team.': [
    'claimInboxItem',
    'assignInboxItem',
    'replyInboxItem',
    'sendConversationFile',
    'releaseInboxItem',
  ],
  'It makes a workspace of the caller’s own, or below one that the caller administers.': [
    'createOrg',
    'createChildOrg',
  ],
  'It changes a name, picture or preference; the address of an account that was used never changes, and security email cannot be turned off.':
    ['updateMe', 'updateEmailPreferences', 'updateConsolePreferences', 'unsubscribe'],
  'It concerns payments.': ['createCheckout', 'receiveBillingEvent'],
  'It tries something, and sends nothing.': [
    'tryBot',
    'draftTestQuestions',
    'draftAnswer',
    'testAnswer',
    'startTestRun',
    'cancelTestRun',
    'testBotProvider',
    'testFlow',
    'searchKnowledge',
    'estimateAlertCost',
  ],
  'It sends to an endpoint or a destination whose connection was emailed.': [
    'testWebhook',
    'triggerWebhookEvent',
    'replayWebhookDelivery',
    'testAlertPolicy',
    'startAlertVerification',
    'pollTelegram',
    'pollWhatsapp',
  ],
  'It is a visitor’s, or public.': [
    'startWidgetSession',
    'endWidgetSession',
    'getWidgetSession',
    'listWidgetMessages',
    'sendWidgetMessage',
    'streamWidgetMessage',
    'streamWidgetEvents',
    'submitWidgetLead',
    'rateWidgetSession',
    'rateWidgetMessage',
    'uploadWidgetFile',
    'listWidgetFiles',
    'deleteWidgetFile',
    'stopWidgetAnswer',
    'setWidgetConsent',
    'requestWidgetHandoff',
    'createWidgetBooking',
    'resolveWidgetDirectory',
    'getPublicAsset',
    'getErrorPage',
  ],
  'It reads one thing or a page of them, and ends with the session.': [
    'listConversations',
    'getConversation',
    'listConversationMessages',
    'listConversationNotes',
    'listConversationFiles',
    'listAnswerRatings',
    'getTestSet',
    'listTestResults',
    'getConversationTranscript',
    'listContacts',
    'getContact',
    'listInbox',
    'streamInbox',
    'listBookings',
    'getBooking',
    'listTopQuestions',
    'listToolInvocations',
    'listWebhookDeliveries',
    'downloadReceipt',
  ],
  'It starts a device login, or returns the key that approveDeviceLogin has emailed about.': [
    'startDeviceLogin',
    'pollDeviceLogin',
  ],
  'Its link opens one document for five minutes.': ['getDocumentDownload'],
  'The signed link is the credential: the operation that gives it is judged.': [
    'downloadSignedFile',
    'downloadConversationFile',
  ],
};
