import { call, type Installation } from './installation.ts';

export interface BenchBot {
  id: string;
  public_key: string;
}

export interface BenchVisitor {
  botId: string;
  sessionId: string;
  token: string;
}

export async function createActiveBot(installation: Installation): Promise<BenchBot> {
  const bot = await call<BenchBot>(installation, 'POST', '/api/bots', {
    name: 'Bench',
    rate_limit_per_minute: 1000,
  });
  await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  return bot;
}

export async function createVisitor(installation: Installation, bot: BenchBot): Promise<BenchVisitor> {
  const session = await call<{ session_id: string; visitor_token: string }>(
    installation,
    'POST',
    `/api/public/bots/${bot.public_key}/sessions`,
    {},
  );
  return { botId: bot.id, sessionId: session.session_id, token: session.visitor_token };
}

/**
 * Sends a visitor's message; returns the status of the API's response.
 * @param apiUrl URL of the process that handles the turn
 */
export async function sendMessage(apiUrl: string, { sessionId, token }: BenchVisitor): Promise<number> {
  const response = await fetch(`${apiUrl}/api/public/sessions/${sessionId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'What does a day pass cost?' }),
  });
  await response.text();
  return response.status;
}
