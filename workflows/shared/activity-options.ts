import type { ActivityOptions } from '@temporalio/workflow';

/** For what only asks the database: tried until it works, since a document must not stay between two states. */
export const databaseActivity: ActivityOptions = {
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};
