import type { TestParley } from '../support/parley.ts';
import { useBrowser } from './browser-support.ts';

export const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', seats: 3 };

export const form = {
  enabled: true,
  trigger: 'before_chat',
  fields: [
    { key: 'name', label: 'Name', required: true },
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'mobile', label: 'Mobile', type: 'phone' },
    { key: 'seats', label: 'Seats', type: 'number' },
    { key: 'plan', label: 'Plan', type: 'select' },
  ],
};
export const withForm = {
  lead_capture_config: form,
  contact_fields_config: [{ key: 'plan', label: 'Plan', type: 'select', options: ['small', 'large'] }],
};

/**
 * Starts a Parley around the tests of a `describe`. Starts sessions of visitors there, each visitor in a
 * separate browser.
 */
export function useVisitors(onStarted: (parley: TestParley) => void) {
  let parley: TestParley;
  const browser = useBrowser((started) => {
    parley = started;
    onStarted(started);
  });

  return async function sessionOf(publicKey: string, visitorId: string) {
    const { body } = await browser(publicKey, { visitor_id: visitorId });
    return {
      id: body.session_id as string,
      path: `/api/public/sessions/${body.session_id}` as const,
      token: body.visitor_token,
      visitor: parley.client(body.visitor_token),
    };
  };
}
