import assert from 'node:assert/strict';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { ApiResponse } from '../support/parley.ts';
import { privateHosts, refusedUrls } from './refused-urls.ts';
import { readReasonCode, useWebhooks } from './suite.ts';
import { createEndpoint, UNREACHABLE_URL } from './support.ts';

describe('a webhook’s URL', () => {
  const suite = useWebhooks();
  const refused = [
    ...privateHosts.flatMap((host) => [`https://${host}/hook`, `http://${host}/hook`]),
    ...refusedUrls,
  ];
  /** A few URLs that Parley refuses. The test of the URL guard covers all spellings of private hosts. */
  const few = [
    'https://10.0.0.1/hook',
    'http://2852039166/hook',
    'https://[::ffff:a00:1]/hook',
    'https://localhost.localdomain@10.0.0.1/',
    'https://8.8.8.8:22/hook',
    'http://8.8.8.8/hook',
    'http://example.com/hook',
    'ftp://example.com/hook',
    'hook',
  ];

  function assertRefused({ status, problem }: ApiResponse, url: string): void {
    assert.equal(formatOutcome({ status, body: problem }), '422 url_refused', url);
    assert.equal(problem.details[0]?.field, 'url', url);
    assert.doesNotMatch(problem.error.message, /ECONN|ENOTFOUND|EAI_|getaddrinfo|node:/, url);
  }

  it(`is refused by createWebhook: ${refused.length} spellings`, async () => {
    for (const url of refused) assertRefused(await suite.org.client.post('/api/webhooks', { url }), url);
    assert.deepEqual((await suite.org.client.get('/api/webhooks')).body, []);
  });

  it('is refused for its port, its scheme http or its private host, with an error that says which', async () => {
    for (const [url, message] of [
      ['https://8.8.8.8:22/hook', 'Port 22 is not a port for web requests.'],
      ['http://8.8.8.8/hook', 'The URL must start with https://.'],
      [
        'https://10.0.0.1/hook',
        '10.0.0.1 is not a host on the public internet, so Parley does not contact it. To permit addresses in your own network, set PARLEY_OUTBOUND_ALLOW, for example PARLEY_OUTBOUND_ALLOW=127.0.0.0/8. `parley webhooks tail` forwards deliveries to this address without that setting.',
      ],
    ] as const) {
      const { problem } = await suite.org.client.post('/api/webhooks', { url });
      assert.equal(problem.error.message, message);
    }
  });

  it('is refused if it has no scheme, with the advice to write https://', async () => {
    for (const url of ['example.com/hook', 'ftp://example.com/hook']) {
      const { problem } = await suite.org.client.post('/api/webhooks', { url });
      assert.equal(problem.error.message, 'The URL must be complete and start with https://.');
    }
  });

  it('is refused by updateWebhook', async () => {
    const { id } = await createEndpoint(suite.org, UNREACHABLE_URL);
    const before = await suite.endpoint(id);
    for (const url of few)
      assertRefused(
        await suite.org.client.patch(`/api/webhooks/${id}`, { url, description: 'changed' }),
        url,
      );
    assert.deepEqual(await suite.endpoint(id), before);
  });

  it('is refused at each attempt, however it was stored', async () => {
    const saved = await Promise.all(few.map(() => createEndpoint(suite.org, UNREACHABLE_URL)));
    await Promise.all(
      saved.map(({ id }, index) =>
        suite.parley.database.repository(Webhook).update(id, { url: few[index]! }),
      ),
    );
    await suite.emit();
    suite.dispatcher();
    const urls = new Map(saved.map(({ id }, index) => [id, few[index]!]));
    for (const delivery of await suite.waitUntilTried()) {
      const url = urls.get(delivery.webhookId)!;
      const expected = /^http:\/\/(example\.com|nowhere\.invalid)/.test(url) ? undefined : 'url_refused';
      assert.ok(['failed', 'retrying'].includes(delivery.status), url);
      assert.equal(delivery.responseStatus, null, url);
      if (expected) assert.deepEqual([delivery.status, readReasonCode(delivery)], ['failed', expected], url);
    }
  });

  for (const url of selectCases(
    [
      'https://8.8.8.8/hook',
      'https://8.8.8.8:8443/hook?token=%20x&y=1#part',
      'https://[2606:4700:4700::1111]/hook',
      'https://not-yet-there.invalid/hook',
      'https://münchen.invalid/größe?ü=🎉',
      'https://xn--mnchen-3ya.invalid/',
      'https://EXAMPLE.invalid:443/../hook',
      `https://${'a'.repeat(63)}.${'b'.repeat(63)}.invalid/`,
      `https://${'a.'.repeat(123)}invalid/`,
      `https://example.invalid/${'x'.repeat(2000 - 'https://example.invalid/'.length)}`,
      'http://127.0.0.1:22/on-the-allow-list',
      'http://localhost:9/on-the-allow-list',
    ],
    3,
  )) {
    it(`may be ${url.slice(0, 60)}, and is stored as written`, async () => {
      const created = await suite.org.client.post('/api/webhooks', { url });
      assert.deepEqual([created.status, created.body.url], [201, url]);
      const { id } = await createEndpoint(suite.org, UNREACHABLE_URL);
      const changed = await suite.org.client.patch(`/api/webhooks/${id}`, { url });
      assert.deepEqual([changed.status, changed.body.url], [200, url]);
    });
  }
});
