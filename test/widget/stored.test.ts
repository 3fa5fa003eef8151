import assert from 'node:assert/strict';
import { isStoredState } from '../../widget/session/stored-state.ts';

const message = {
  id: 'a',
  role: 'assistant',
  content: 'x',
  citations: [{ index: 1, title: 'Prices', quote: 'q', source_url: null }],
  is_error: false,
  error_code: null,
  created_at: '2026-11-21T10:00:00.000Z',
};
const credential = { sessionId: '01a1ffef-6dd9-7576-bc22-2a21004d6453', token: 'eyJh.x_-y' };
const pending = { clientId: 'a', content: 'x', at: 1 };

describe('isStoredState', () => {
  it('accepts data that the widget wrote', () => {
    const whole = { visitorId: 'v', credential, history: [message], pending: [pending], isLeadSettled: true };
    const asking = { ...message, input: { kind: 'choice', options: [{ id: 'a', label: 'A' }] } };
    for (const kept of [
      {},
      whole,
      { history: [{ ...message, citations: null }, asking] },
      { pending: [{ ...pending, optionId: 'a' }] },
    ])
      assert.equal(isStoredState(kept), true, JSON.stringify(kept));
  });

  it('rejects data that the widget did not write', () => {
    for (const rubbish of [
      null,
      5,
      'text',
      { visitorId: 5 },
      { pending: 5 },
      { pending: [null] },
      { pending: [{ ...pending, content: {} }] },
      { pending: [{ ...pending, optionId: 5 }] },
      { history: [{ ...message, input: 'text' }] },
      { history: [{ ...message, input: { kind: 'choice' } }] },
      { history: [{ ...message, input: { kind: 'choice', options: [{ id: 'a' }] } }] },
      { history: '[]' },
      { history: [null] },
      { history: [{ ...message, citations: [null] }] },
      { credential: null },
      { credential: { ...credential, sessionId: '../../x' } },
      { credential: { ...credential, token: 'a\nb' } },
    ])
      assert.equal(isStoredState(rubbish), false, JSON.stringify(rubbish));
  });
});
