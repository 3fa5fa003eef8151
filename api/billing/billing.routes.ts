import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { presentPlan, presentProfile, presentSubscription } from './billing.presenter.ts';
import { BillingProfileIn, BillingProfileRead, PlanRead, SubscriptionRead } from './billing.schemas.ts';

const isRead = { tag: 'billing', auth: 'member', scope: 'billing:read', role: 'admin' } as const;
const isOfOwners = { tag: 'billing', auth: 'session', scope: null, role: 'owner' } as const;

export const listPlans = defineOperation({
  ...isRead,
  role: 'viewer',
  id: 'listPlans',
  method: 'GET',
  path: '/api/billing/plans',
  responses: { 200: Type.Array(PlanRead) },
  summary:
    'What can be bought: tiers with their limits, and top-ups; nothing where there is no payment provider.',
  handle: async ({ ctx }, { plans }) => (await plans.list(ctx)).map(presentPlan),
});

export const getSubscription = defineOperation({
  ...isRead,
  id: 'getSubscription',
  method: 'GET',
  path: '/api/billing/subscription',
  responses: { 200: SubscriptionRead },
  summary: 'The plan of the workspace: its limits, until when it is paid, and what is left of top-ups.',
  handle: async ({ ctx }, { subscriptions }) => presentSubscription(await subscriptions.get(ctx)),
});

export const getBillingProfile = defineOperation({
  ...isRead,
  id: 'getBillingProfile',
  method: 'GET',
  path: '/api/billing/profile',
  responses: { 200: BillingProfileRead },
  summary: 'Whom receipts are addressed to.',
  handle: async ({ ctx }, { billingProfiles }) => presentProfile(await billingProfiles.get(ctx)),
});

export const saveBillingProfile = defineOperation({
  ...isOfOwners,
  id: 'saveBillingProfile',
  method: 'PUT',
  path: '/api/billing/profile',
  body: BillingProfileIn,
  responses: { 200: BillingProfileRead },
  errors: ['conflict'],
  summary: 'Save whom later receipts are addressed to; those that were issued stay as they are.',
  handle: async ({ ctx, body, noteSubjects }, { billingProfiles }) => {
    noteSubjects([{ resourceType: 'billing_profile', resourceId: ctx.orgId }]);
    return presentProfile(await billingProfiles.save(ctx, body));
  },
});
