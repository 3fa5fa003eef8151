import * as apiKeys from './team/api-keys.routes.ts';
import * as deviceLogins from './team/device-logins.routes.ts';
import * as account from './accounts/account.routes.ts';
import * as consolePreferences from './accounts/console-preferences.routes.ts';
import * as firstRun from './accounts/first-run.routes.ts';
import * as identities from './accounts/identities.routes.ts';
import * as mfa from './accounts/mfa.routes.ts';
import * as signIn from './accounts/sign-in.routes.ts';
import * as questions from './analytics/questions.routes.ts';
import * as archive from './archive/archive.routes.ts';
import * as alerts from './alerts/alerts.routes.ts';
import * as analytics from './analytics/analytics.routes.ts';
import * as calendarConnect from './bookings/calendar-connect.routes.ts';
import * as billing from './billing/billing.routes.ts';
import * as avatars from './bots/avatars.routes.ts';
import * as bots from './bots/bots.routes.ts';
import * as generate from './bots/generate.routes.ts';
import * as playground from './bots/playground.routes.ts';
import * as bookings from './bookings/bookings.routes.ts';
import * as calendar from './bookings/calendar.routes.ts';
import * as widgetBookings from './bookings/widget-bookings.routes.ts';
import * as contacts from './contacts/contacts.routes.ts';
import * as conversations from './conversations/conversations.routes.ts';
import * as transcript from './conversations/transcript.routes.ts';
import * as directory from './bots/directory.routes.ts';
import * as flows from './flows/flows.routes.ts';
import * as emailPreferences from './mail/email-preferences.routes.ts';
import type { Operation } from './http/operation.ts';
import * as inbox from './conversations/inbox.routes.ts';
import * as answerDrafts from './knowledge/answer-drafts.routes.ts';
import * as answerRatings from './conversations/answer-ratings.routes.ts';
import * as conversationFiles from './conversations/files.routes.ts';
import * as notes from './conversations/notes.routes.ts';
import * as savedReplies from './conversations/saved-replies.routes.ts';
import * as externalDocuments from './knowledge/external-documents.routes.ts';
import * as knowledge from './knowledge/knowledge.routes.ts';
import * as knowledgeSearch from './knowledge/search.routes.ts';
import {
  createGetExtensionsOpenApi,
  createGetMeta,
  createGetOpenApi,
  getErrorPage,
  getHealth,
  getReadiness,
  listApiVersions,
} from './installation/meta.routes.ts';
import * as invitations from './team/invitations.routes.ts';
import { getOperatorLinks } from './installation/operator-links.routes.ts';
import * as members from './team/members.routes.ts';
import * as orgs from './team/orgs.routes.ts';
import * as savedViews from './team/saved-views.routes.ts';
import * as testSets from './test-sets/test-sets.routes.ts';
import * as encryption from './encryption/encryption.routes.ts';
import * as usage from './usage/usage.routes.ts';
import * as versions from './bots/versions.routes.ts';
import { createListRequests } from './requests/request-log.routes.ts';
import * as toolInvocations from './mcp/tool-invocations.routes.ts';
import * as triggerEvent from './webhooks/trigger-event.routes.ts';
import * as webhooks from './webhooks/webhooks.routes.ts';
import * as widgetEvents from './widget/events.routes.ts';
import * as stopAnswer from './widget/stop-answer.routes.ts';
import * as widget from './widget/widget.routes.ts';

const core = [
  ...Object.values(signIn),
  ...Object.values(account),
  ...Object.values(mfa),
  ...Object.values(identities),
  ...Object.values(bots),
  ...Object.values(calendarConnect),
  ...Object.values(generate),
  ...Object.values(versions),
  ...Object.values(avatars),
  ...Object.values(directory),
  ...Object.values(knowledge),
  ...Object.values(knowledgeSearch),
  ...Object.values(playground),
  ...Object.values(conversations),
  ...Object.values(transcript),
  ...Object.values(contacts),
  ...Object.values(inbox),
  ...Object.values(questions),
  ...Object.values(flows),
  ...Object.values(usage),
  ...Object.values(toolInvocations),
  ...Object.values(bookings),
  ...Object.values(calendar),
  ...Object.values(widgetBookings),
  ...Object.values(alerts),
  ...Object.values(analytics),
  ...Object.values(archive),
  ...Object.values(webhooks),
  ...Object.values(billing),
  ...Object.values(encryption),
  ...Object.values(orgs),
  ...Object.values(members),
  ...Object.values(invitations),
  ...Object.values(apiKeys),
  ...Object.values(widget),
  ...Object.values(widgetEvents),
  ...Object.values(emailPreferences),
  getHealth,
  getReadiness,
  createGetMeta(() => operations),
  listApiVersions,
  getErrorPage,
  createGetOpenApi(() => coreOperations),
];

const extensions = [
  ...Object.values(deviceLogins),
  ...Object.values(firstRun),
  ...Object.values(externalDocuments),
  createListRequests(() => operations),
  ...Object.values(consolePreferences),
  ...Object.values(savedViews),
  ...Object.values(savedReplies),
  ...Object.values(notes),
  ...Object.values(answerRatings),
  ...Object.values(conversationFiles),
  ...Object.values(stopAnswer),
  ...Object.values(testSets),
  ...Object.values(answerDrafts),
  ...Object.values(triggerEvent),
  getOperatorLinks,
  createGetExtensionsOpenApi(() => extensionOperations),
];

/** The operations of the API's stable contract, which `/openapi.json` describes. */
export const coreOperations: readonly Operation[] = core;

/**
 * API operations beyond the stable contract, which `/openapi.ext.json` describes. Their paths begin with
 * `/api/ext/`.
 */
export const extensionOperations: readonly Operation[] = extensions;

/** All operations of the API: the contract and the extensions. */
export const operations: readonly Operation[] = [...core, ...extensions];

/** Type of any operation of the API, with its own parameters and responses. */
export type RegisteredOperation = (typeof core)[number] | (typeof extensions)[number];
