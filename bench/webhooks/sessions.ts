import { Agent, request } from 'node:http';
import { readMonotonicMs } from '../support/monotonic.ts';
import { PAGE_URL } from './backlog.ts';

/** A widget session with the times at which its caller sent the request and had the response. */
export interface OpenedSession {
  id: string;
  askedAtMs: number;
  /** Time at which the whole response had arrived, in milliseconds of the monotonic clock. */
  answeredAtMs: number;
}

/**
 * Opens widget sessions at a steady rate, whether responses arrive or not. Each session emits one event
 * `conversation.started`.
 */
export async function openAtRate(url: string, perSecond: number, count: number): Promise<OpenedSession[]> {
  const agent = new Agent({ keepAlive: true });
  const startMs = readMonotonicMs();
  const opened: Promise<OpenedSession>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = startMs + (index * 1000) / perSecond;
    const waitMs = dueMs - readMonotonicMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    opened.push(openSession(url, agent));
  }
  const sessions = await Promise.all(opened);
  agent.destroy();
  return sessions;
}

export const sessionRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ page_url: PAGE_URL }),
} as const;

export function openSession(url: string, agent: Agent): Promise<OpenedSession> {
  return new Promise((resolve, reject) => {
    const { body, ...options } = sessionRequest;
    const clientRequest = request(url, { ...options, agent });
    clientRequest.once('error', reject);
    clientRequest.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        const answeredAtMs = readMonotonicMs();
        if (response.statusCode !== 201) return reject(new Error(`A session was refused: ${text}`));
        const { session_id: id } = JSON.parse(text) as { session_id: string };
        resolve({ id, askedAtMs, answeredAtMs });
      });
    });
    const askedAtMs = readMonotonicMs();
    clientRequest.end(body);
  });
}
