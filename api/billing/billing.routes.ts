import { Type } from '@sinclair/typebox';
import { formatContentDisposition } from '../../adapters/storage/filename.ts';
import type { EventReception } from '../../services/billing/subscriptions/billing-events.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation, replyWith } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import {
  presentCheckout,
  presentPlan,
  presentProfile,
  presentReceipt,
  presentSubscription,
} from './billing.presenter.ts';
import {
  BillingProfileIn,
  BillingProfileRead,
  CheckoutRequest,
  CheckoutResponse,
  PlanRead,
  ProviderEventBody,
  ReceiptParams,
  ReceiptQuery,
  ReceiptRead,
  SubscriptionRead,
} from './billing.schemas.ts';

const readAccess = { tag: 'billing', auth: 'member', scope: 'billing:read', role: 'admin' } as const;
const ownerAccess = { tag: 'billing', auth: 'session', scope: null, role: 'owner' } as const;

export const listPlans = defineOperation({
  ...readAccess,
  role: 'viewer',
  id: 'listPlans',
  method: 'GET',
  path: '/api/billing/plans',
  responses: { 200: Type.Array(PlanRead) },
  summary:
    'The tiers and top-ups that can be bought, with prices and limits. Empty if no payment provider is configured.',
  handle: async ({ ctx }, { billing: { plans } }) => (await plans.list(ctx)).map(presentPlan),
});

export const getSubscription = defineOperation({
  ...readAccess,
  id: 'getSubscription',
  method: 'GET',
  path: '/api/billing/subscription',
  responses: { 200: SubscriptionRead },
  summary: 'The plan of the workspace: its limits, the end of the paid period, and remaining top-ups.',
  handle: async ({ ctx }, { billing: { subscriptions } }) =>
    presentSubscription(await subscriptions.get(ctx)),
});

export const createCheckout = defineOperation({
  ...ownerAccess,
  id: 'createCheckout',
  method: 'POST',
  path: '/api/billing/checkout',
  body: CheckoutRequest,
  responses: { 201: CheckoutResponse },
  errors: ['conflict', 'not_ready'],
  summary:
    'Create a hosted checkout for a tier or a top-up, or return the open checkout. Checking out the tier of a canceled subscription resumes the subscription at no charge.',
  prepare: ({ ctx, body: { tier: product, quantity = 1 } }, { billing: { checkouts } }) =>
    checkouts.open(ctx, { product, quantity, userId: ctx.userId }),
  handle: async ({ prepared }) => presentCheckout(prepared),
});

export const cancelSubscription = defineOperation({
  ...ownerAccess,
  id: 'cancelSubscription',
  method: 'POST',
  path: '/api/billing/subscription/cancel',
  responses: { 200: SubscriptionRead },
  errors: ['conflict', 'not_ready'],
  summary:
    'Cancel the subscription at the end of the paid period. Until then, checking out any tier undoes the cancellation.',
  prepare: ({ ctx }, { billing: { cancellations } }) => cancellations.cancel(ctx),
  handle: async ({ ctx, noteSubjects }, { billing: { subscriptions } }) => {
    noteSubjects([{ resourceType: 'subscription', resourceId: ctx.orgId }]);
    return presentSubscription(await subscriptions.get(ctx));
  },
});

export const getBillingProfile = defineOperation({
  ...readAccess,
  id: 'getBillingProfile',
  method: 'GET',
  path: '/api/billing/profile',
  responses: { 200: BillingProfileRead },
  summary: 'The billing address on receipts.',
  handle: async ({ ctx }, { billing: { billingProfiles } }) => presentProfile(await billingProfiles.get(ctx)),
});

export const saveBillingProfile = defineOperation({
  ...ownerAccess,
  id: 'saveBillingProfile',
  method: 'PUT',
  path: '/api/billing/profile',
  body: BillingProfileIn,
  responses: { 200: BillingProfileRead },
  errors: ['conflict'],
  summary: 'Save the billing address for future receipts; issued receipts stay unchanged.',
  exposes: 'content',
  notifies: 'handler',
  handle: async ({ ctx, body, noteSubjects, notifyOwners }, { billing: { billingProfiles } }) => {
    noteSubjects([{ resourceType: 'billing_profile', resourceId: ctx.orgId }]);
    const { saved, previousEmail } = await billingProfiles.save(ctx, body);
    const notice = accessWords.invoicesRedirected(previousEmail, saved.profile.billing_email);
    if (notice) notifyOwners(notice);
    return presentProfile(saved);
  },
});

export const listReceipts = defineOperation({
  ...readAccess,
  id: 'listReceipts',
  isLong: true,
  method: 'GET',
  path: '/api/billing/receipts',
  query: ReceiptQuery,
  responses: { 200: Type.Array(ReceiptRead) },
  errors: ['not_found'],
  summary: 'Receipts, newest first; only the workspace that pays has receipts.',
  handle: async ({ ctx, query: { limit = 50, before } }, { billing: { receipts } }) =>
    (await receipts.list(ctx, limit, before)).map(presentReceipt),
});

export const downloadReceipt = defineOperation({
  ...readAccess,
  id: 'downloadReceipt',
  method: 'GET',
  path: '/api/billing/receipts/{receipt_id}/download',
  params: ReceiptParams,
  responses: {
    200: { content: { 'application/pdf': null }, description: 'The receipt as it was issued.' },
  },
  errors: ['conflict'],
  summary: 'The file of a receipt, with the billing address at the time of issue.',
  handle: async ({ ctx, params }, { billing: { receipts } }) => {
    const { content, sizeBytes, number } = await receipts.open(ctx, params.receipt_id);
    return replyWith.file({
      content,
      sizeBytes,
      contentType: 'application/pdf',
      headers: { 'Content-Disposition': formatContentDisposition(`${number}.pdf`) },
    });
  },
});

const receptionTexts: Readonly<Record<EventReception, string>> = {
  taken: 'The event is being processed.',
  known: 'The event was already received.',
  ignored: 'The event requires no change in Parley.',
  kept: 'The event’s payer is still unknown; the event is stored for a few days.',
};

export const receiveBillingEvent = defineOperation({
  id: 'receiveBillingEvent',
  method: 'POST',
  path: '/api/billing/provider-events',
  tag: 'billing',
  auth: 'public',
  scope: null,
  role: null,
  body: { raw: ProviderEventBody },
  headers: {
    'Stripe-Signature': 'The timestamp and the signatures of the body, made with the endpoint’s secret.',
  },
  responses: { 200: Message },
  errors: ['unauthenticated', 'not_ready'],
  summary:
    'The payment provider’s webhook. Each event triggers one re-read of the provider’s state; the event’s own data is not used.',
  handle: async ({ ctx, body, headers }, { billing: { billingEvents } }) => {
    const signature = headers['stripe-signature'];
    const reception = await billingEvents.receive(
      ctx.db,
      body,
      typeof signature === 'string' ? signature : '',
    );
    return { message: receptionTexts[reception] };
  },
});
