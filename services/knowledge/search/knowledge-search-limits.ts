import type { Settings } from '../../../core/settings/settings.ts';
import { SearchLimits } from '../../requests/search-limits.ts';

/**
 * Maximum number of document searches that wait in a process. A workspace may use half of the waiting list:
 * enough for all its visitors who ask at the same moment.
 */
const MAX_WAITING = 1000;

/**
 * Creates the limits that all searches of documents in a process share: for answers, in the playground and by
 * `searchKnowledge`. Half of the database connections remain free for storing messages and for all other
 * requests.
 */
export function createKnowledgeSearchLimits({
  databasePool,
  knowledgeSearchSeconds: timeoutSeconds,
}: Pick<Settings, 'databasePool' | 'knowledgeSearchSeconds'>): SearchLimits {
  return new SearchLimits({ slots: Math.ceil(databasePool / 2), maxWaiting: MAX_WAITING, timeoutSeconds });
}
