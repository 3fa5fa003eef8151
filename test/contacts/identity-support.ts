import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { ApiResponse, TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import type { BodyAt } from '../support/response-types.ts';
import { useBrowser } from './browser-support.ts';

export const ADA = { sub: 'user-17', email: 'ada@work.example' };
export const form = {
  lead_capture_config: {
    enabled: true,
    fields: [
      { key: 'name', label: 'Name' },
      { key: 'email', label: 'Email', type: 'email' },
      { key: 'seats', label: 'Seats', type: 'number' },
      { key: 'plan', label: 'Plan' },
    ],
  },
};

/**
 * Starts a Parley around the tests of a `describe`, and starts sessions with identity tokens
 * there.
 */
export function useIdentity(onStarted: (parley: TestParley) => void) {
  let parley: TestParley;
  const browser = useBrowser((started) => {
    parley = started;
    onStarted(started);
  });

  async function build(overrides: object = {}) {
    const org = await buildActiveBot(parley, { ...form, ...overrides });
    const { body } = await org.client.get(`/api/bots/${org.bot.id}/embed`);
    return { ...org, secret: body.identity_secret! };
  }

  function start(publicKey: string, body: object, headers: Record<string, string> = {}) {
    return parley.client().post(`/api/public/bots/${publicKey}/sessions`, body, headers);
  }

  /** Starts a session in the browser that has had the earlier sessions with this visitor id. */
  async function session(publicKey: string, body: { visitor_id?: string; identity_token?: string }) {
    const { visitor_id = newId() } = body;
    return openSession(await browser(publicKey, { ...body, visitor_id }));
  }

  async function openSession(response: ApiResponse<BodyAt<'POST', '/api/public/bots/{}/sessions'>>) {
    assert.equal(response.status, 201, JSON.stringify(response.body));
    const path = `/api/public/sessions/${response.body.session_id}` as const;
    const visitor = parley.client(response.body.visitor_token);
    const post = (step: string, fields: object) => visitor.post(`${path}/${step}`, fields);
    return { id: response.body.session_id, path, visitor, post };
  }

  return { build, start, session, openSession };
}
