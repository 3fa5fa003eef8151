import assert from 'node:assert/strict';
import { formatOwnerScreen } from '../../scripts/launcher/start-screen.ts';

const BASE_URL = 'https://parley.example.com';
const email = 'owner@parley.localhost';
const LINK = `${BASE_URL}/welcome#token=abc`;

describe('formatOwnerScreen', () => {
  const format = (owner: Omit<Parameters<typeof formatOwnerScreen>[0], 'email'>) =>
    formatOwnerScreen({ ...owner, email }, BASE_URL)
      ?.split('\n')
      .filter(Boolean);

  it('shows the setup link, and a generated API key, after the first start', () => {
    assert.deepEqual(format({ created: true, setupToken: 'abc', apiKey: 'parley_live_x' }), [
      'Open the link to set up your account. It works once, and the API key is not shown again:',
      `  Set up    ${LINK}`,
      '  API key   parley_live_x',
    ]);
    assert.deepEqual(format({ created: true, setupToken: 'abc' }), [
      'Open the link to set up your account. It works once:',
      `  Set up   ${LINK}`,
    ]);
  });

  it('shows a new setup link after a restart, and nothing once the owner is set up', () => {
    assert.deepEqual(format({ created: false, setupToken: 'abc' }), [
      'Open the link to set up your account. It works once:',
      `  Set up   ${LINK}`,
    ]);
    assert.equal(format({ created: false }), undefined);
  });

  it('shows the credentials after the first start without a setup link', () => {
    assert.deepEqual(format({ created: true, password: 'secret' }), [
      'Credentials of the first owner (not shown again):',
      `  Email      ${email}`,
      '  Password   secret',
      '  API key    as set in PARLEY_BOOTSTRAP_API_KEY',
    ]);
  });
});
