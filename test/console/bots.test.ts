import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { buildPng } from '../support/images.ts';
import { startModelServer, embedWords, type ModelServer } from '../support/model-server.ts';
import { takePicture } from '../support/pictures.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { buildBot, openNewBot } from './new-bot.ts';
import { useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const fixture = (name: string) => new URL(`../fixtures/documents/${name}`, import.meta.url).pathname;

describe('bots in the console', function () {
  const consoles = useConsoles(this);
  let model: ModelServer;
  let parley: TestParleyWithWorker;
  /** The model creates vectors once this resolves. */
  let gate: Promise<void>;
  let open = (): void => {};
  before(async () => {
    gate = new Promise((resolve) => (open = resolve));
    model = await startModelServer({
      embed: async (body) => {
        await gate;
        if (!body.input.some((text) => text.includes('riddle'))) return embedWords(body);
        return { raw: { status: 400, contentType: 'application/json', body: '{}' } };
      },
    });
    parley = await startParleyWithWorker({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL_API_KEY: 'any',
      PARLEY_EMBEDDING_BASE_URL: model.baseUrl,
      PARLEY_EMBEDDING_MODEL: 'words',
      PARLEY_EMBEDDING_RELEVANCE: '1',
      PARLEY_EMBEDDING_STRICT_RELEVANCE: '1',
    });
  });
  after(async () => {
    await parley?.stop();
    await model?.close();
  });

  const openBot = (part: string, config: object = {}) => openNewBot(consoles(), parley, part, config);

  const documentRow = (page: Page, title: string) => page.locator('tr[data-id]', { hasText: title });

  itInSoak('show the progress of their documents’ vectors, and the count without vectors', async () => {
    const { page, client, url } = await openBot('documents');
    const texts = ['Bees make honey.', 'This is a riddle.'];
    const ids: string[] = [];
    for (const text of texts) {
      const { body } = await client.post(`${url}/knowledge`, { source_type: 'raw_text', raw_text: text });
      ids.push(body.id);
    }
    const isIndexed = async () => (await client.get(`${url}/knowledge`)).body.vectors?.documents === 2;
    await waitUntil(isIndexed, 'both to be indexed');
    await page.reload();
    await page
      .getByText('Found by words already, and by meaning so far: 0 of 2 documents, by words.')
      .waitFor();
    const bar = page.getByRole('progressbar', { name: 'Vectors' });
    await waitUntilEqual(
      async () => [await bar.getAttribute('value'), await bar.getAttribute('max')],
      ['0', '2'],
    );
    open();
    await page
      .getByText(
        'by meaning so far: 1 of 2 documents, by words. 1 document with passages that the model does not take; they are tried again.',
      )
      .waitFor();
    await waitUntilEqual(() => bar.count(), 0);
    await client.delete(`${url}/knowledge/${ids[1]}`);
    await page.reload();
    await page.getByText('Found by meaning as well as by words: all 1 document by words.').waitFor();
  });

  itInSoak('show an uploaded avatar, the snippet for pages, and the allowed hosts', async () => {
    const { page, client, url } = await openBot('settings', { allowed_domains: ['shop.example.com'] });
    await page
      .getByLabel('PNG, WebP or JPEG')
      .setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: buildPng(64, 64) });
    await page.getByText('The avatar is in use.').waitFor();
    const width = () => page.locator('img.avatar').evaluate((image) => image.naturalWidth);
    await waitUntil(async () => (await width()) > 0, 'the image');
    await page
      .getByLabel('PNG, WebP or JPEG')
      .setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await page.getByRole('alert').waitFor();

    await page.getByRole('link', { name: 'Embed' }).click();
    const { body } = await client.get(`${url}/embed`);
    await waitUntilEqual(() => page.getByLabel('Snippet').inputValue(), body.snippet);
    const hosts = page.getByText('The widget runs on shop.example.com.');
    await page
      .getByText('The bot is a draft and not active yet: pages with the snippet show nothing')
      .waitFor();
    await waitUntilEqual(() => hosts.isVisible(), false);
    await page.getByRole('button', { name: 'Activate' }).click();
    await hosts.waitFor();
    assert.equal((await client.get(url)).body.status, 'active');
    await waitUntilEqual(() => page.getByText('not active').isVisible(), false);
    await client.patch(url, { status: 'paused', is_public: false });
    await page.reload();
    await page.getByText('The bot is paused and not active').waitFor();
    await page.getByText('The bot is not public').waitFor();
    const secret = page.getByLabel('Identity secret');
    await waitUntilEqual(() => secret.inputValue(), body.identity_secret!);
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText('The secret before this one is good until').waitFor();
    const { body: rotated } = await client.get(`${url}/embed`);
    assert.notEqual(rotated.identity_secret, body.identity_secret);
    await waitUntilEqual(() => secret.inputValue(), rotated.identity_secret!);
  });

  itInSoak(
    'upload documents, explain refused files and URLs, and show indexing, downloads, reindexing and deletion',
    async () => {
      const { page, client, url } = await openBot('documents');
      await page.getByText('There are no documents yet.').waitFor();
      await page.getByLabel('drop files here or choose them').setInputFiles({
        name: 'tool.exe',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from([77, 90, 0, 1, 2, 3]),
      });
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await waitUntilEqual(() => page.getByRole('alert').count(), 0);
      await page.getByLabel('drop files here or choose them').setInputFiles({
        name: 'empty.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(0),
      });
      await page.getByRole('alert').getByText('The file is empty.').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByLabel('What').selectOption('A page');
      await page.getByLabel('Address of the page').fill('http://169.254.169.254/latest');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('alert').waitFor();

      await page
        .getByLabel('drop files here or choose them')
        .setInputFiles(['faq.md', 'encrypted.pdf'].map(fixture));
      await documentRow(page, 'faq').getByText('indexed').waitFor();
      await documentRow(page, 'encrypted').getByText('failed', { exact: true }).waitFor();
      await page.getByLabel('What').selectOption('A text');
      await page.getByLabel('Title, if not its own').fill('Opening hours');
      await page.getByLabel('Text', { exact: true }).fill('We are open from nine to six.');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await documentRow(page, 'Opening hours').getByText('indexed').waitFor();
      const { body } = await client.get(`${url}/knowledge`);
      assert.deepEqual(
        body.items.map(({ source_type, status }) => `${source_type} ${status}`),
        ['raw_text indexed', 'file failed', 'file indexed'],
      );

      const row = documentRow(page, 'faq');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        row.getByRole('button', { name: 'Download' }).click(),
      ]);
      assert.deepEqual(readFileSync(await download.path()), readFileSync(fixture('faq.md')));
      let look = (): void => {};
      const isSeen = new Promise<void>((resolve) => (look = resolve));
      await page.route('**/status', (route) => isSeen.then(() => route.continue()));
      await row.getByRole('button', { name: 'again' }).click();
      await row.getByRole('progressbar').waitFor();
      look();
      await row.getByText('indexed').waitFor();
      await row.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await row.waitFor({ state: 'detached' });
      assert.equal((await client.get(`${url}/knowledge`)).body.total, 2);

      const network = await page.context().newCDPSession(page);
      await network.send('Network.enable');
      const throttle = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
      await network.send('Network.emulateNetworkConditions', throttle);
      await page.getByLabel('drop files here or choose them').setInputFiles({
        name: 'long.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(300_000, 'One line of many.\n'),
      });
      await page.getByRole('progressbar', { name: 'Upload of long.txt' }).waitFor();
      await page
        .getByRole('listitem')
        .getByText(/[1-9]\d? %/)
        .waitFor();
      await network.send('Network.emulateNetworkConditions', { ...throttle, uploadThroughput: -1 });
      await documentRow(page, 'long').waitFor();
      await waitUntilEqual(() => page.getByRole('progressbar', { name: 'Upload of long.txt' }).count(), 0);
    },
  );

  itInSoak('import a site by its URL: its pages appear below it once each, and collapse', async () => {
    const servers = new LocalServers();
    const port = await servers.http((request, response) => {
      const base = `http://${request.headers.host}`;
      const pages = ['Prices', 'Stations', 'Refunds', 'Staff'].map(
        (name) => `<url><loc>${base}/${name}</loc></url>`,
      );
      if (request.url === '/robots.txt') return void response.end(`Sitemap: ${base}/map.xml`);
      if (request.url === '/Staff') return void response.writeHead(403).end();
      if (request.url === '/map.xml') return void response.end(`<urlset>${pages.join('')}</urlset>`);
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>${request.url}</title><main><p>About ${request.url}.</main>`);
    });
    const { page, client, url } = await openBot('documents');
    try {
      const site = page.locator('tr[data-id]:not(.of-site)');
      const addSite = async (end = '') => {
        await page.getByLabel('What').selectOption('A site');
        await page.getByLabel('Address of the site').fill(`http://127.0.0.1:${port}${end}`);
        await page.getByRole('button', { name: 'Add', exact: true }).click();
      };
      await addSite();
      await page.locator('tr.of-site').nth(3).waitFor();
      await site.getByText('indexed').waitFor();
      await site.getByText('3 of 4 pages fetched, 1 failed').waitFor();
      await site.getByText('Why 1 page').click();
      await site.locator('li').getByText('/Staff responded with status 403.').waitFor();
      await waitUntilEqual(() => site.getByText('responded with status 403.').count(), 1);
      await site.getByLabel('again', { exact: false }).first().selectOption('Daily');
      const readRefresh = async (): Promise<unknown> => {
        const { body } = await client.get(`${url}/knowledge?parent_id=none`);
        return body.items[0]?.refresh;
      };
      await waitUntil(async () => (await readRefresh()) === 'daily', 'the refresh to be saved');
      const cells = () => page.locator('tr[data-id] td:nth-child(3)').allInnerTexts();
      const isCounted = async () => (await cells()).toSorted().join() === '0,1,1,1,3';
      await waitUntil(isCounted, 'the passages of each page');
      await takePicture(page, 'console-site');
      await addSite('/');
      await page.getByText('This site is a source already; it is indexed again.').waitFor();
      await site.getByText('3 of 4 pages fetched, 3 unchanged, 1 failed').waitFor();
      await waitUntilEqual(() => page.locator('tr.of-site').count(), 4);
      await page.getByRole('button', { name: 'Hide 4 pages' }).click();
      await waitUntilEqual(() => page.locator('tr.of-site').count(), 0);
      assert.equal((await client.get(`${url}/knowledge`)).body.total, 5);
    } finally {
      await servers.close();
    }
  });

  itInSoak('report the import of a site that the list has read already, and keep unsaved text', async () => {
    const servers = new LocalServers();
    let release = (): void => undefined;
    const port = await servers.http((request, response) => {
      const base = `http://${request.headers.host}`;
      const pages = ['Prices', 'Late', 'Gone'].map((name) => `<url><loc>${base}/${name}</loc></url>`);
      if (request.url === '/robots.txt' || request.url === '/Gone') return void response.writeHead(404).end();
      if (request.url === '/sitemap.xml') return void response.end(`<urlset>${pages.join('')}</urlset>`);
      response.setHeader('content-type', 'text/html');
      const answer = () =>
        response.end(`<!doctype html><title>${request.url}</title><main><p>About ${request.url}.</main>`);
      if (request.url === '/Late') release = answer;
      else answer();
    });
    const { page, client, url } = await openBot('documents');
    try {
      await page.getByLabel('Text', { exact: true }).fill('Wedding cakes take two weeks.');
      await page.getByLabel('What').selectOption('A site');
      await page.getByLabel('Address of the site').fill(`http://127.0.0.1:${port}`);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      const site = page.locator('tr[data-id]:not(.of-site)');
      await site.getByText('1 of 3 pages read so far, 1 failed').waitFor();
      await new Promise<void>((resolve) => void page.route('**/status', () => resolve()));
      release();
      const isIndexed = async (): Promise<boolean> => {
        const { body } = await client.get(`${url}/knowledge?parent_id=none`);
        return body.items[0]?.status === 'indexed';
      };
      await waitUntil(isIndexed, 'the site to be indexed');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await site.getByText('2 of 3 pages fetched, 1 failed').waitFor();
      await waitUntilEqual(() => site.getByText('read so far').count(), 0);
      const latePage = page.locator('tr.of-site', { hasText: '/Late' });
      await latePage.getByText('indexed').waitFor();
      await latePage.getByRole('button', { name: 'Download' }).waitFor();
      const gone = page.locator('tr.of-site', { hasText: '/Gone' });
      await waitUntilEqual(() => gone.getByRole('button', { name: 'Download' }).count(), 0);
      await page.getByLabel('What').selectOption('A text');
      await waitUntilEqual(
        () => page.getByLabel('Text', { exact: true }).inputValue(),
        'Wedding cakes take two weeks.',
      );
      await page.getByLabel('What').selectOption('A site');
      await waitUntilEqual(() => page.getByLabel('Address of the site').inputValue(), '');
    } finally {
      release();
      await servers.close();
    }
  });

  itInSoak('answer visitors, and show the team their sources', async () => {
    const { client, key, bot, url } = await buildBot(parley, { handoff_enabled: true });
    await client.patch(url, { status: 'active' });
    await client.post(`${url}/knowledge`, {
      source_type: 'raw_text',
      title: 'Prices and memberships',
      raw_text: 'A day pass costs 12 euros, a week 45.',
    });
    const isIndexed = async () => (await client.get(`${url}/knowledge`)).body.items[0]?.status === 'indexed';
    await waitUntil(isIndexed, 'the document to be indexed');
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {
      page_url: 'https://bikes.example.com/prices',
    });
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}` as const;
    await visitor.post(`${path}/messages`, { content: 'What does a day pass cost?' });
    await visitor.post(`${path}/handoff`, { reason: 'I would like to pay for ten people at once.' });
    await client.post(`/api/inbox/${session.session_id}/claim`);
    await client.post(`/api/inbox/${session.session_id}/reply`, {
      content: 'Groups book at https://bikes.example.com/groups and pay once.',
    });
    const page = await consoles().openWithKey(parley, key, `#/conversations/${session.session_id}`);
    await page.getByText('[1] Prices and memberships').click();
    await page.getByText('A day pass costs 12 euros, a week 45.').waitFor();
    await takePicture(page, 'console-conversation');
  });

  it('answer in the playground, token by token and with sources', async () => {
    const { page, client, url } = await openBot('search');
    await page.getByLabel('A question').fill('price of a day pass');
    await page.locator('#main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('Nothing in the documents is relevant: no passage has a word').waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
    await client.post(`${url}/knowledge`, {
      source_type: 'raw_text',
      title: 'Prices',
      raw_text: 'A day pass costs 12 euros.',
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await documentRow(page, 'Prices').getByText('indexed').waitFor();

    await page.getByRole('link', { name: 'Playground' }).click();
    for (const question of ['What does a day pass cost?', 'And a day pass for two?']) {
      await page.getByLabel('Message').fill(question);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page
        .getByRole('log')
        .getByText(`You asked: “${question}”. The documents answer that [1].`)
        .waitFor();
      await page.getByRole('button', { name: 'Begin anew' }).and(page.locator(':enabled')).waitFor();
    }
    await page.getByText('[1] Prices').first().click();
    await page.getByText('A day pass costs 12 euros.').first().waitFor();
    const asked = model.requests.findLast(({ path }) => path.endsWith('/chat/completions'))!.body;
    assert.equal(asked.stream, true);
    assert.ok(asked.messages.some(({ content }) => content === 'What does a day pass cost?'));

    await page.getByRole('link', { name: 'Retrieval test' }).click();
    await page.getByLabel('A question').fill('price of a day pass');
    await page.locator('#main').getByRole('button', { name: 'Search' }).click();
    const hit = page.getByRole('list', { name: 'Passages' }).locator('li');
    await waitUntilMatches(
      () => hit.innerText(),
      /Prices\s+[01]\.\d{3}\s+\S+[^]*A day pass costs 12 euros\./,
    );
    await page.getByLabel('A question').fill('Can my dog ride along on the weekend pass?');
    await page.locator('#main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'Nothing in the documents is relevant' }).waitFor();
    await page.getByText('a relevance of 0.50 or more').waitFor();
    const near = page.getByRole('list', { name: 'Nearest passages' }).locator('li');
    await waitUntilMatches(
      () => near.innerText(),
      /Prices\s+relevance 0\.[0-4]\d of 0\.50 needed\s+score 0\.\d{3}[^]*A day pass costs 12 euros\./,
    );
    await takePicture(page, 'console-retrieval');
  });
});
