import type { LimitedAction } from './cost-limits.ts';

/**
 * Limit of a workspace's calls to the operator's model that no plan counts: playground, tests of flows and
 * endpoints, repeated enrichments.
 */
export const MODEL_TRIALS: LimitedAction = {
  name: 'model-trials',
  limit: 120,
  what: 'trials with a model',
  isFreeOnly: true,
};

/** Limit of questions that a workspace's runs of test sets ask: three runs of the largest set. */
export const TEST_QUESTIONS: LimitedAction = {
  name: 'test-questions',
  limit: 600,
  what: 'test questions',
  isFreeOnly: true,
};

/** Limit of a workspace's notes that mention members, since each mentioned member gets an email. */
export const NOTE_MENTIONS: LimitedAction = {
  name: 'note-mentions',
  limit: 200,
  what: 'notes with mentions',
};

/**
 * Limit of files that are sent in a workspace's conversations, which have up to 10 MB each and which no plan
 * counts. Files of agents and of visitors are counted separately, so that visitors cannot stop the files of
 * agents.
 */
export const AGENT_FILES: LimitedAction = {
  name: 'agent-files',
  limit: 200,
  what: 'files in conversations',
  isFreeOnly: true,
  isDaily: true,
};
export const VISITOR_FILES: LimitedAction = { ...AGENT_FILES, name: 'visitor-files' };

/** Limit of a workspace's downloads of external web pages and websites. */
export const FETCHED_SOURCES: LimitedAction = {
  name: 'sources',
  limit: 120,
  what: 'pages and sites fetched',
  isFreeOnly: true,
};
