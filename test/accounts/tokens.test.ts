import assert from 'node:assert/strict';
import { operations } from '../../api/registry.ts';
import { buildResources, validBody, type Resources } from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const NONE = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');

interface Place {
  /** Kinds of tokens that are good there. */
  takes: readonly string[];
  use(token: string): Promise<{ status: number }>;
}

describe('tokens', () => {
  let parley: TestParley;
  let owner: Resources;
  let tokens: Record<string, string>;
  let places: Record<string, Place>;
  before(async () => {
    parley = await startParley();
    owner = await buildResources(parley);
    tokens = await tokensOf(owner);
    places = placesOf(owner);
  });
  after(() => parley.stop());

  const bodyOf = (id: string) =>
    validBody(operations.find((each) => each.id === id)!) as Record<string, string>;

  /** One of each kind that is good. */
  async function tokensOf({ key, accessToken, visitorToken, ids, client }: Resources) {
    await client.post('/api/bots', { name: 'Another one' });
    const page = await client.get('/api/bots?page_size=1');
    const file = await client.get(`/api/bots/${ids['bot_id']}/knowledge/${ids['document_id']}/download`);
    return {
      'an API key': key,
      'an access token': accessToken,
      'a refresh token': bodyOf('refreshToken')['refresh_token']!,
      'a challenge': bodyOf('verifyMfa')['challenge_token']!,
      'a visitor token': visitorToken,
      'a link to verify an address': bodyOf('verifyEmail')['token']!,
      'a link to set a password': bodyOf('resetPassword')['token']!,
      'an invitation': ids['token']!,
      'a link to turn mail off': ids['unsubscribe_token']!,
      'a link to a file': String(new URL(file.body.url).pathname.split('/').at(-1)),
      'a cursor': page.body.next_cursor as string,
    };
  }

  function placesOf({ ids }: Resources): Record<string, Place> {
    const client = parley.client();
    return {
      'a call of the team': {
        takes: ['an API key', 'an access token'],
        use: (token) => parley.client(token).get('/api/bots'),
      },
      'a call about the own account': {
        takes: ['an access token'],
        use: (token) => parley.client(token).get('/api/auth/mfa'),
      },
      'a visitor’s call': {
        takes: ['a visitor token'],
        use: (token) => parley.client(token).get(`/api/public/sessions/${ids['session_id']}/messages`),
      },
      'a refresh': {
        takes: ['a refresh token'],
        use: (token) => client.post('/api/auth/refresh', { refresh_token: token }),
      },
      'the second factor': {
        takes: ['a challenge'],
        use: (token) =>
          client.post('/api/auth/mfa/verify', { ...bodyOf('verifyMfa'), challenge_token: token }),
      },
      'a verification': {
        takes: ['a link to verify an address'],
        use: (token) => client.post('/api/auth/email/verify', { token }),
      },
      'a new password': {
        takes: ['a link to set a password'],
        use: (token) => client.post('/api/auth/password/reset', { ...bodyOf('resetPassword'), token }),
      },
      'a preview': {
        takes: ['an invitation'],
        use: (token) => client.get(`/api/invitations/${encodeURIComponent(token)}`),
      },
      'an acceptance': {
        takes: ['an invitation'],
        use: (token) => client.post('/api/invitations/accept', { ...bodyOf('acceptInvitation'), token }),
      },
      'mail preferences': {
        takes: ['a link to turn mail off'],
        use: (token) => client.post(`/api/email-preferences/unsubscribe/${encodeURIComponent(token)}`),
      },
      'a download': {
        takes: ['a link to a file'],
        use: (token) => client.get(`/api/files/${encodeURIComponent(token)}`),
      },
      'a page': {
        takes: ['a cursor'],
        use: (token) => owner.client.get(`/api/bots?cursor=${encodeURIComponent(token)}`),
      },
    };
  }

  it('of one kind are good in no place of another', async () => {
    for (const [place, { takes, use }] of Object.entries(places)) {
      for (const [kind, token] of Object.entries(tokens)) {
        if (takes.includes(kind)) continue;
        const { status } = await use(token);
        assert.ok([401, 403, 404, 422].includes(status), `${kind} for ${place}: ${status}`);
      }
    }
  });

  it('are not good unsigned, signed by somebody else, or as a JWT that says so', async () => {
    for (const [place, { takes, use }] of Object.entries(places)) {
      for (const token of takes.map((kind) => tokens[kind]!).filter((each) => each.includes('.'))) {
        const [claims] = token.split('.');
        const forged = Buffer.alloc(32, 1).toString('base64url');
        for (const bad of [
          claims!,
          `${claims}.`,
          `${NONE}.${claims}.`,
          `${NONE}.${claims}.${forged}`,
          `${claims}.${forged}`,
        ]) {
          const { status } = await use(bad);
          assert.ok([401, 403, 404, 422].includes(status), `${bad} for ${place}: ${status}`);
        }
      }
    }
  });

  it('are good in their own places all the same', async () => {
    for (const [place, { takes, use }] of Object.entries(places))
      for (const kind of takes) {
        const { status } = await use(tokens[kind]!);
        assert.equal(status, 200, `${kind} for ${place}`);
      }
  });
});
