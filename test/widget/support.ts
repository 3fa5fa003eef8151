import type { ApiClient } from '../support/api-client.ts';

/** Answer of the fake model to every question, in the form in which the tests read messages. */
export const ANSWER = 'assistant: A day pass costs 12 euros.';
/** An answer that is long enough for a test to act while the model generates it. */
export const COUNTING = 'One two three four five six seven eight nine ten';

export const listAllConversations = async (client: Pick<ApiClient, 'get'>) =>
  (await client.get('/api/conversations')).body.items;
