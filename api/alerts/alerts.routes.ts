import { Type } from '@sinclair/typebox';
import type { AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import { nameChannel } from '../../services/alerts/channels/alert-connection-service.ts';
import { accessWords, formatDestination } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import {
  toPolicyInput,
  presentAttempt,
  presentConnection,
  presentEstimate,
  presentPolicy,
} from './alerts.presenter.ts';
import {
  AlertConnectionState,
  AlertConnectResponse,
  AlertEstimate,
  AlertPolicyRead,
  AlertPollRequest,
  AlertTestResponse,
  AlertVerificationStarted,
  AlertVerifyRequest,
  PolicyListQuery,
  PolicyParams,
  PolicyRequest,
} from './alerts.schemas.ts';

const CONNECTIONS_PER_HOUR = 10;
/** Maximum test messages of alert policies per hour, since the messaging provider may charge for each. */
const TESTS_PER_HOUR = 20;

const readAccess = { tag: 'alerts', auth: 'member', scope: 'alerts:read', role: 'viewer' } as const;
const writeAccess = { tag: 'alerts', auth: 'member', scope: 'alerts:write', role: 'admin' } as const;

export const listAlertPolicies = defineOperation({
  ...readAccess,
  id: 'listAlertPolicies',
  method: 'GET',
  path: '/api/alerts',
  query: PolicyListQuery,
  responses: { 200: Type.Array(AlertPolicyRead) },
  summary: 'Alert policies for messaging apps, newest first, with the messages sent today.',
  handle: async ({ ctx, query }, { alerts: { alertPolicies } }) =>
    (await alertPolicies.list(ctx, query.bot_id)).map(presentPolicy),
});

export const saveAlertPolicy = defineOperation({
  ...writeAccess,
  id: 'saveAlertPolicy',
  method: 'PUT',
  path: '/api/alerts',
  body: PolicyRequest,
  responses: { 200: AlertPolicyRead },
  errors: ['conflict', 'not_found'],
  summary:
    'Create or replace the policy of a bot, channel and destination. Nothing is sent to a destination until the workspace has verified it.',
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, body, sentFields, notifyOwners }, { alerts: { alertPolicies } }) => {
    const { policy, startsSending } = await alertPolicies.save(ctx, toPolicyInput(body, sentFields));
    const { channel, destination, name } = policy.destination;
    if (startsSending)
      notifyOwners(accessWords.destinationUsed(nameChannel(channel), formatDestination(destination, name)));
    return presentPolicy(policy);
  },
});

export const deleteAlertPolicy = defineOperation({
  ...writeAccess,
  id: 'deleteAlertPolicy',
  method: 'DELETE',
  path: '/api/alerts/{policy_id}',
  params: PolicyParams,
  responses: { 200: Message },
  summary: 'Delete a policy and its unsent alerts; the destination stays verified.',
  handle: async ({ ctx, params }, { alerts: { alertPolicies } }) => {
    await alertPolicies.delete(ctx, params.policy_id);
    return { message: 'The alert policy is removed.' };
  },
});

export const estimateAlertCost = defineOperation({
  ...readAccess,
  id: 'estimateAlertCost',
  method: 'POST',
  path: '/api/alerts/estimate',
  body: PolicyRequest,
  responses: { 200: AlertEstimate },
  errors: ['not_found'],
  summary:
    'Estimate a policy’s messages and cost per month from the events of the last 30 days. Nothing is stored.',
  handle: async ({ ctx, body, sentFields }, { alerts: { alertPolicies, alertEstimator } }) => {
    const policy = await alertPolicies.resolve(ctx, toPolicyInput(body, sentFields));
    return presentEstimate(await alertEstimator.estimate(ctx, policy));
  },
});

export const connectTelegram = defineConnect('telegram', 'connectTelegram', '/api/alerts/telegram/connect');
export const pollTelegram = definePoll('telegram', 'pollTelegram', '/api/alerts/telegram/poll');
export const connectWhatsapp = defineConnect('whatsapp', 'connectWhatsapp', '/api/alerts/whatsapp/connect');
export const pollWhatsapp = definePoll('whatsapp', 'pollWhatsapp', '/api/alerts/whatsapp/poll');

export const testAlertPolicy = defineOperation({
  ...writeAccess,
  id: 'testAlertPolicy',
  method: 'POST',
  path: '/api/alerts/{policy_id}/test',
  params: PolicyParams,
  responses: { 200: AlertTestResponse },
  errors: ['conflict'],
  limits: ({ ctx }, { requests: { costLimits } }) =>
    costLimits.buildCharges(ctx, { name: 'alert-tests', limit: TESTS_PER_HOUR, what: 'test messages' }),
  summary:
    'Send a test alert through the normal path, and return its result; the test does not count toward the daily cap.',
  handle: async ({ ctx, params }, { alerts: { alertVerifications } }) => ({
    alert_id: await alertVerifications.startTest(ctx, params.policy_id),
    ok: false,
    duration_ms: 0,
    error: null,
  }),
  settle: async ({ ctx, result: { alert_id } }, { alerts: { alertVerifications } }) => {
    const { isSent, durationMs, error } = await alertVerifications.waitForOutcome(ctx, alert_id);
    return { alert_id, ok: isSent, duration_ms: durationMs, error };
  },
});

export const startAlertVerification = defineOperation({
  ...writeAccess,
  id: 'startAlertVerification',
  method: 'POST',
  path: '/api/alerts/{policy_id}/verify/start',
  params: PolicyParams,
  responses: { 200: AlertVerificationStarted },
  errors: ['conflict'],
  summary: 'Send a six-digit code to an unverified destination, at most once a minute.',
  limits: ({ ctx }, { settings, requests: { costLimits } }) =>
    costLimits.buildCharges(ctx, {
      name: 'alert-codes',
      limit: settings.alertCodesPerHour,
      what: 'codes sent',
    }),
  handle: async ({ ctx, params }, { alerts: { alertVerifications } }) => {
    const { expiresAt, nextSendAt } = await alertVerifications.start(ctx, params.policy_id);
    return {
      ok: false,
      error: null,
      expires_at: expiresAt.toISOString(),
      next_send_at: nextSendAt.toISOString(),
    };
  },
  settle: async ({ ctx, params, result }, { alerts: { alertVerifications } }) => {
    const { isSent, error } = await alertVerifications.waitForCodeOutcome(ctx, params.policy_id);
    return { ...result, ok: isSent, error };
  },
});

export const finishAlertVerification = defineOperation({
  ...writeAccess,
  id: 'finishAlertVerification',
  method: 'POST',
  path: '/api/alerts/{policy_id}/verify',
  params: PolicyParams,
  body: AlertVerifyRequest,
  responses: { 200: AlertPolicyRead },
  errors: ['conflict'],
  summary:
    'Verify a destination with the code that was sent to it. The code expires after ten minutes or five attempts.',
  prepare: ({ ctx, params, body }, { alerts: { alertVerifications } }) =>
    alertVerifications.tryCode(ctx, params.policy_id, body.code),
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, params, prepared: codeDigest, notifyOwners }, { alerts: { alertVerifications } }) => {
    const { policy, isNew } = await alertVerifications.finish(ctx, params.policy_id, codeDigest);
    const { channel, destination, name } = policy.destination;
    if (isNew)
      notifyOwners(
        accessWords.destinationConnected(nameChannel(channel), formatDestination(destination, name)),
      );
    return presentPolicy(policy);
  },
});

function defineConnect<Id extends string, Path extends string>(channel: AlertChannel, id: Id, path: Path) {
  return defineOperation({
    ...writeAccess,
    id,
    method: 'POST',
    path,
    responses: { 200: AlertConnectResponse },
    errors: ['conflict'],
    exposes: 'content',
    summary: `Create a link that connects a ${nameChannel(channel)} chat to the workspace; opening it grants consent.`,
    limits: ({ ctx }, { requests: { costLimits } }) =>
      costLimits.buildCharges(ctx, {
        name: `alert-connect:${channel}`,
        limit: CONNECTIONS_PER_HOUR,
        what: 'connection links',
      }),
    handle: async ({ ctx, noteSubjects }, { alerts: { alertConnections } }) => {
      const started = await alertConnections.start(ctx, channel);
      noteSubjects([{ resourceType: 'alert_attempt', resourceId: started.attempt.id }]);
      return presentConnection(started);
    },
  });
}

function definePoll<Id extends string, Path extends string>(channel: AlertChannel, id: Id, path: Path) {
  return defineOperation({
    ...writeAccess,
    id,
    method: 'POST',
    path,
    body: AlertPollRequest,
    responses: { 200: AlertConnectionState },
    errors: ['not_found'],
    summary: `Return whether a link that connects ${nameChannel(channel)} was opened, and the destination that it connected.`,
    handle: async ({ ctx, body, noteSubjects }, { alerts: { alertConnections } }) => {
      noteSubjects([]);
      const attempt = await alertConnections.get(ctx, channel, body.attempt_id);
      return presentAttempt(attempt, alertConnections.getStatus(attempt));
    },
  });
}
