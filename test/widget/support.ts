import type { ApiClient } from '../support/api-client.ts';

/** The model’s answer to every question, as `said` returns it. */
export const ANSWER = 'assistant: A day pass costs 12 euros.';
/** An answer that is long enough for a test to act while it is generated. */
export const COUNTING = 'One two three four five six seven eight nine ten';

export const listAllConversations = async (client: Pick<ApiClient, 'get'>) =>
  (await client.get('/api/conversations')).body.items;
