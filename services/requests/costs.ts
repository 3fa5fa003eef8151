import type { Cost } from './cost-limits.ts';

/** Calls of the operator's model that no plan counts: playground, tests of flows and endpoints, repeated enrichments. */
export const MODEL_TRIALS: Cost = {
  name: 'model-trials',
  limit: 120,
  what: 'trials with a model',
  isFreeOnly: true,
};

/** Fetches of external pages and sites. */
export const FETCHED_SOURCES: Cost = {
  name: 'sources',
  limit: 120,
  what: 'pages and sites fetched',
  isFreeOnly: true,
};
