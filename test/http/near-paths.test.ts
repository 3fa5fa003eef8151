import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

const bot = newId();

describe('responses to an unknown path', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function request(method: string, path: string) {
    const response = await parley.client().fetch(path, { method });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return { status: response.status, allow: response.headers.get('allow'), ...error };
  }

  const near: [method: string, path: string, suggestions: string][] = [
    ['POST', '/api/mcp', '/mcp'],
    ['POST', '/mcp/', '/mcp'],
    ['GET', '/sse', '/mcp'],
    ['GET', '/api/bot', '/api/bots'],
    ['GET', '/api/Bots', '/api/bots'],
    ['GET', '/api/bots/', '/api/bots, or is bot_id empty'],
    ['GET', '/api//bots', '/api/bots'],
    ['GET', '//api/bots', '/api/bots'],
    ['POST', '/bots', '/api/bots'],
    ['GET', '/v1/bots', '/api/bots'],
    ['GET', '/api/v1/bots', '/api/bots'],
    ['GET', '/api/conversation', '/api/conversations'],
    ['GET', '/api/convesations', '/api/conversations'],
    ['GET', '/api/api_keys', '/api/api-keys'],
    ['GET', '/api/me', '/api/auth/me'],
    ['POST', '/api/login', '/api/auth/login'],
    ['GET', '/api/members', '/api/orgs/{org_id}/members'],
    ['GET', `/api/bots/${bot}/document`, `/api/bots/${bot}/knowledge`],
    ['GET', `/api/bots/${bot}/documents`, `/api/bots/${bot}/knowledge or /api/ext/bots/${bot}/documents`],
    ['POST', `/api/bot/${bot}/knowledge/upload`, `/api/bots/${bot}/knowledge/upload`],
    ['GET', '/saved-replies', '/api/ext/saved-replies'],
    ['GET', '/api/openapi.json', '/openapi.json'],
    ['GET', '/api/docs', '/docs'],
    ['GET', '/healthz', '/api/health'],
    ['GET', '/api/widget.js', '/widget.js'],
  ];
  for (const [method, path, suggestions] of near)
    it(`suggest ${suggestions.replaceAll(bot, '…')} for ${method} ${path.replace(bot, '…')}`, async () => {
      assert.deepEqual(await request(method, path), {
        status: 404,
        allow: null,
        code: 'not_found',
        message: `There is nothing at ${path}. Did you mean ${suggestions}?`,
      });
    });

  it('suggest the right path or operation for common guesses', async () => {
    const expected = {
      [`/api/ext/bots/${bot}/documents/docs/intro.md`]:
        'Write each slash of an external_id as %2F: docs%2Fintro.md.',
      [`/api/bots/${bot}/ask`]: `To try the bot, use POST /api/bots/${bot}/playground. Visitors start with POST /api/public/bots/{public_key}/sessions.`,
      '/api/bots.json': 'Did you mean /api/bots?',
      '/mcp/sse': 'Did you mean /mcp?',
      '/api/version': 'Did you mean /api/meta/versions?',
      '/docs/createBot': 'Did you mean /docs#createBot?',
      '/api/bots&page=2': 'Did you mean /api/bots?page=2?',
      [`/api/bots/${bot}/avatar`]: `Did you mean /api/bots/${bot}/theme/avatar?`,
      '/swagger.json': 'Did you mean /openapi.json?',
      [`/api/webhooks/${bot}/deliveries`]: `Did you mean /api/webhooks/deliveries?webhook_id=${bot}?`,
    };
    for (const [path, advice] of Object.entries(expected))
      assert.equal((await request('GET', path)).message, `There is nothing at ${path}. ${advice}`);
  });

  it('name a parameter that is empty', async () => {
    const path = '/api/bots//knowledge';
    assert.equal(
      (await request('GET', path)).message,
      `There is nothing at ${path}. bot_id of /api/bots/{bot_id}/knowledge is empty. Is its variable set?`,
    );
  });

  it('suggest no path if none is similar; below /api, they name /docs', async () => {
    const long = `/${'bots/'.repeat(100)}`;
    const unknown = {
      '/nothing/like/this': 'There is nothing at /nothing/like/this.',
      '/api/nothing': 'There is nothing at /api/nothing. See /docs for all operations.',
      '/api': 'There is nothing at /api. See /docs for all operations.',
      '//': 'There is nothing at //.',
      '/.well-known/oauth-authorization-server':
        'There is nothing at /.well-known/oauth-authorization-server.',
      [long]: `There is nothing at ${long.slice(0, 200)}.`,
    };
    for (const [path, message] of Object.entries(unknown))
      assert.equal((await request('GET', path)).message, message);
  });

  it('name what to do in place of a method that the path does not support', async () => {
    const conversation = `/api/conversations/${bot}`;
    const advice: [method: string, path: string, advice: string][] = [
      [
        'PATCH',
        conversation,
        'See POST /api/conversations/{conversation_id}/extract, POST /api/conversations/{conversation_id}/reopen, POST /api/conversations/{conversation_id}/resolve.',
      ],
      [
        'POST',
        '/api/contacts',
        'Contacts come from forms and identity tokens of visitors, and from imported archives.',
      ],
      [
        'POST',
        `${conversation}/messages`,
        'Agents write with POST /api/inbox/{conversation_id}/reply, visitors with POST /api/public/sessions/{session_id}/messages.',
      ],
    ];
    for (const [method, path, expected] of advice) {
      const { message } = await request(method, path);
      assert.ok(message.endsWith(`. ${expected}`), message);
    }
  });

  it('name the methods of the path if the method is not supported', async () => {
    assert.deepEqual(await request('PUT', '/api/bots'), {
      status: 405,
      allow: 'GET, HEAD, POST, OPTIONS',
      code: 'method_not_allowed',
      message: '/api/bots does not support PUT, only GET, HEAD, POST, OPTIONS.',
    });
    for (const path of ['/docs', '/console', '/widget.js', '/errors'])
      assert.deepEqual(await request('POST', path), {
        status: 405,
        allow: 'GET, HEAD',
        code: 'method_not_allowed',
        message: `${path} does not support POST, only GET, HEAD.`,
      });
  });
});
