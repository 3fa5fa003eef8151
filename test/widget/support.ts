import type { ApiClient } from '../support/api-client.ts';

/** The model’s answer to every question, as `said` returns it. */
export const ANSWER = 'assistant: A day pass costs 12 euros.';
/** An answer that is long enough for a test to act while it is generated. */
export const COUNTING = 'One two three four five six seven eight nine ten';

/** A promise, and the function that resolves it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export const listAllConversations = async (client: Pick<ApiClient, 'get'>) =>
  (await client.get('/api/conversations')).body.items;
