import type { LimitedAction } from './cost-limits.ts';

/**
 * Limit of calls to the operator's model that no plan counts: playground, tests of flows and endpoints,
 * repeated enrichments.
 */
export const MODEL_TRIALS: LimitedAction = {
  name: 'model-trials',
  limit: 120,
  what: 'trials with a model',
  isFreeOnly: true,
};

/** Limit of runs of test sets, each of which may ask a model 200 questions. */
export const TEST_RUNS: LimitedAction = {
  name: 'test-runs',
  limit: 10,
  what: 'test runs',
  isFreeOnly: true,
};

/** Limit of notes that mention members, since each of them gets an email. */
export const NOTE_MENTIONS: LimitedAction = {
  name: 'note-mentions',
  limit: 200,
  what: 'notes with mentions',
};

/** Limit of downloads of external web pages and websites. */
export const FETCHED_SOURCES: LimitedAction = {
  name: 'sources',
  limit: 120,
  what: 'pages and sites fetched',
  isFreeOnly: true,
};
