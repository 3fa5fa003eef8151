import type { Cost } from './cost-limits.ts';

/** Calls of the operator's model that no plan counts: the playground, tests of flows and endpoints, and what a conversation is read again for. */
export const MODEL_TRIALS: Cost = {
  name: 'model-trials',
  limit: 120,
  what: 'trials with a model',
  isFreeOnly: true,
};

/** Pages and sites of others that are fetched. */
export const FETCHED_SOURCES: Cost = {
  name: 'sources',
  limit: 120,
  what: 'pages and sites fetched',
  isFreeOnly: true,
};
