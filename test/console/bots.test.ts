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
  /** Promise for which the fake model waits before it creates embedding vectors. */
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

  itInSoak(
    'show the progress of their documents’ vectors, and the number of documents without vectors',
    async () => {
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
      await page.getByText('Preparing semantic search').waitFor();
      await page.getByText('0 of 2 documents · words').waitFor();
      const bar = page.getByRole('progressbar', { name: 'Semantic search' });
      await waitUntilEqual(() => bar.getAttribute('aria-valuenow'), '0');
      open();
      await page.getByText('1 of 2 documents · words · 1 rejected by the model (will be retried)').waitFor();
      await waitUntilEqual(() => bar.count(), 0);
      await client.delete(`${url}/knowledge/${ids[1]}`);
      await page.reload();
      await page.getByText('Semantic search ready').waitFor();
      await page.getByText('1 of 1 document · words').waitFor();
    },
  );

  itInSoak('show an uploaded avatar, the snippet for pages, and the allowed hosts', async () => {
    const { page, client, url } = await openBot('appearance', { allowed_domains: ['shop.example.com'] });
    await page
      .getByLabel('Avatar image')
      .setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: buildPng(64, 64) });
    await page.getByText('Avatar updated').waitFor();
    const width = () => page.locator('.avatar-upload img').evaluate((image) => image.naturalWidth);
    await waitUntil(async () => (await width()) > 0, 'the image');
    await page
      .getByLabel('Avatar image')
      .setInputFiles({ name: 'face.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
    await page.getByRole('alert').waitFor();

    await page.locator('#main').getByRole('navigation').getByRole('link', { name: 'Deploy' }).click();
    const { body } = await client.get(`${url}/embed`);
    await waitUntilEqual(() => page.getByRole('textbox', { name: 'Snippet' }).inputValue(), body.snippet);
    await waitUntilEqual(
      () => page.getByRole('textbox', { name: 'Allowed domains' }).inputValue(),
      'shop.example.com',
    );
    await page.getByText('The bot is a draft. Pages with the snippet show nothing').waitFor();
    await page.getByRole('button', { name: 'Go live' }).click();
    await page.getByText('Bot is now live').waitFor();
    assert.equal((await client.get(url)).body.status, 'active');
    await waitUntilEqual(() => page.getByText('show nothing until').count(), 0);
    await waitUntilEqual(() => page.getByRole('switch', { name: 'Live' }).isChecked(), true);
    for (const [tab, code] of [
      ['Tag Manager', 'document.body.append(script)'],
      ['WordPress', 'wp_footer'],
      ['React', 'useEffect'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click();
      const text = await page.getByLabel(`Code for ${tab}`).inputValue();
      assert.ok(text.includes(code) && text.includes(body.public_key), text);
    }
    await client.patch(url, { status: 'paused', is_public: false });
    await page.reload();
    await page.getByText('The bot is paused.').waitFor();
    await page.getByText('The bot is not public').waitFor();
    const secret = page.getByLabel('Identity secret');
    await page.getByRole('button', { name: 'Show secret' }).click();
    await waitUntilEqual(() => secret.inputValue(), body.identity_secret!);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('The previous secret still works until').waitFor();
    const { body: rotated } = await client.get(`${url}/embed`);
    assert.notEqual(rotated.identity_secret, body.identity_secret);
    await waitUntilEqual(() => secret.inputValue(), rotated.identity_secret!);
  });

  itInSoak(
    'upload documents, explain refused files and URLs, and show indexing, downloads, reindexing and deletion',
    async () => {
      const { page, client, url } = await openBot('documents');
      await page.getByRole('heading', { name: 'No knowledge yet' }).waitFor();
      await page.getByLabel('Files to upload').setInputFiles({
        name: 'tool.exe',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from([77, 90, 0, 1, 2, 3]),
      });
      await page.getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await waitUntilEqual(() => page.getByRole('alert').count(), 0);
      await page.getByLabel('Files to upload').setInputFiles({
        name: 'empty.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(0),
      });
      await page.getByRole('alert').getByText('The file is empty (empty.txt).').waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await page.getByRole('button', { name: 'Website' }).click();
      await page.getByLabel('Link').fill('http://169.254.169.254/latest');
      await page.getByRole('button', { name: 'Add page' }).click();
      await page.getByText('169.254.169.254 is not a host on the public internet').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();

      await page.getByLabel('Files to upload').setInputFiles(['faq.md', 'encrypted.pdf'].map(fixture));
      await documentRow(page, 'faq').getByText('Ready').waitFor();
      await documentRow(page, 'encrypted').getByText('Failed', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Text', exact: true }).click();
      await page.getByLabel('Title (optional)').fill('Opening hours');
      await page.getByLabel('Text', { exact: true }).fill('We are open from nine to six.');
      await page.getByRole('button', { name: 'Add text' }).click();
      await documentRow(page, 'Opening hours').getByText('Ready').waitFor();
      const { body } = await client.get(`${url}/knowledge`);
      assert.deepEqual(
        body.items.map(({ source_type, status }) => `${source_type} ${status}`),
        ['raw_text indexed', 'file failed', 'file indexed'],
      );

      const row = documentRow(page, 'faq');
      const chooseInMenu = async (name: string) => {
        await row.getByRole('button', { name: 'Actions' }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        chooseInMenu('Download original'),
      ]);
      assert.deepEqual(readFileSync(await download.path()), readFileSync(fixture('faq.md')));
      let look = (): void => {};
      const isSeen = new Promise<void>((resolve) => (look = resolve));
      await page.route('**/status', (route) => isSeen.then(() => route.continue()));
      await chooseInMenu('Re-sync');
      await row.getByText(/Queued|Indexing/).waitFor();
      look();
      await row.getByText('Ready').waitFor();
      await chooseInMenu('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await row.waitFor({ state: 'detached' });
      assert.equal((await client.get(`${url}/knowledge`)).body.total, 2);

      const network = await page.context().newCDPSession(page);
      await network.send('Network.enable');
      const throttle = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 };
      await network.send('Network.emulateNetworkConditions', throttle);
      await page.getByLabel('Files to upload').setInputFiles({
        name: 'long.txt',
        mimeType: 'text/plain',
        buffer: Buffer.alloc(300_000, 'One line of many.\n'),
      });
      await page.getByRole('progressbar', { name: 'Upload of long.txt' }).waitFor();
      await page
        .getByRole('listitem')
        .getByText(/[1-9]\d?%/)
        .waitFor();
      await network.send('Network.emulateNetworkConditions', { ...throttle, uploadThroughput: -1 });
      await documentRow(page, 'long').waitFor();
      await waitUntilEqual(() => page.getByRole('progressbar', { name: 'Upload of long.txt' }).count(), 0);
    },
  );

  itInSoak(
    'import a site by its URL: its pages appear below it once each, and can be collapsed',
    async () => {
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
          await page.getByRole('button', { name: 'Website' }).click();
          await page.getByLabel('Link').fill(`http://127.0.0.1:${port}${end}`);
          await page.getByRole('button', { name: 'Add website' }).click();
        };
        await addSite();
        await site.getByText('Ready').waitFor();
        await site.getByText('3 of 4 pages imported, 1 failed').waitFor();
        await site.getByRole('button', { name: 'Show pages' }).click();
        await page.locator('tr.of-site').nth(3).waitFor();
        await site.getByRole('link').click();
        const drawer = page.getByRole('dialog', { name: 'Document' });
        await drawer.getByRole('heading', { name: '1 page not imported' }).waitFor();
        await drawer.locator('li').getByText('/Staff responded with status 403.').waitFor();
        await drawer.getByLabel('Auto-refresh').selectOption('Daily');
        const readRefresh = async (): Promise<unknown> => {
          const { body } = await client.get(`${url}/knowledge?parent_id=none`);
          return body.items[0]?.refresh;
        };
        await waitUntil(async () => (await readRefresh()) === 'daily', 'the refresh to be saved');
        await page.keyboard.press('Escape');
        await drawer.waitFor({ state: 'detached' });
        const cells = () => page.locator('tr[data-id] td[data-label="Passages"]').allInnerTexts();
        const isCounted = async () => (await cells()).toSorted().join() === '0,1,1,1,3';
        await waitUntil(isCounted, 'the passages of each page');
        await takePicture(page, 'console-site');
        await addSite('/');
        await page.getByText('This website already exists. Re-syncing…').waitFor();
        await site.getByText('3 of 4 pages imported, 3 unchanged, 1 failed').waitFor();
        await waitUntilEqual(() => page.locator('tr.of-site').count(), 4);
        await page.getByRole('button', { name: 'Hide pages' }).click();
        await waitUntilEqual(() => page.locator('tr.of-site').count(), 0);
        assert.equal((await client.get(`${url}/knowledge`)).body.total, 5);
      } finally {
        await servers.close();
      }
    },
  );

  itInSoak('show how many pages of a site are imported, and keep unsaved text', async () => {
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
      await page.getByRole('button', { name: 'Text', exact: true }).click();
      await page.getByLabel('Text', { exact: true }).fill('Wedding cakes take two weeks.');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Website' }).click();
      await page.getByLabel('Link').fill(`http://127.0.0.1:${port}`);
      await page.getByRole('button', { name: 'Add website' }).click();
      const site = page.locator('tr[data-id]:not(.of-site)');
      await site.getByText('Crawling 1 of 3 pages, 1 failed').waitFor();
      await new Promise<void>((resolve) => void page.route('**/status', () => resolve()));
      release();
      const isIndexed = async (): Promise<boolean> => {
        const { body } = await client.get(`${url}/knowledge?parent_id=none`);
        return body.items[0]?.status === 'indexed';
      };
      await waitUntil(isIndexed, 'the site to be indexed');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await site.getByText('2 of 3 pages imported, 1 failed').waitFor();
      await waitUntilEqual(() => site.getByText('Crawling').count(), 0);
      await site.getByRole('button', { name: 'Show pages' }).click();
      const latePage = page.locator('tr.of-site', { hasText: '/Late' });
      await latePage.getByText('Ready').waitFor();
      const download = page.getByRole('menuitem', { name: 'Download original' });
      await latePage.getByRole('button', { name: 'Actions' }).click();
      await download.waitFor();
      await page.keyboard.press('Escape');
      await page.locator('tr.of-site', { hasText: '/Gone' }).getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'View details' }).waitFor();
      await waitUntilEqual(() => download.count(), 0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Text', exact: true }).click();
      await waitUntilEqual(
        () => page.getByLabel('Text', { exact: true }).inputValue(),
        'Wedding cakes take two weeks.',
      );
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Website' }).click();
      await waitUntilEqual(() => page.getByLabel('Link').inputValue(), '');
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
    await page.getByLabel('Test question').fill('price of a day pass');
    await page.locator('#main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('No passage contains the words of this question.').waitFor();
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await client.post(`${url}/knowledge`, {
      source_type: 'raw_text',
      title: 'Prices',
      raw_text: 'A day pass costs 12 euros.',
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await documentRow(page, 'Prices').getByText('Ready').waitFor();

    await page.getByRole('link', { name: 'Test', exact: true }).click();
    for (const question of ['What does a day pass cost?', 'And a day pass for two?']) {
      await page.getByLabel('Message', { exact: true }).fill(question);
      await page.getByRole('button', { name: 'Send' }).click();
      await page
        .getByRole('log')
        .getByText(`You asked: “${question}”. The documents answer that [1].`)
        .waitFor();
      await page.getByRole('button', { name: 'Reset chat', disabled: false }).waitFor();
    }
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await inspector.getByRole('list', { name: 'Sources' }).getByText('[1] Prices').waitFor();
    await inspector.getByRole('list', { name: 'Passages' }).getByText('A day pass costs 12 euros.').waitFor();
    const asked = model.requests.findLast(({ path }) => path.endsWith('/chat/completions'))!.body;
    assert.equal(asked.stream, true);
    assert.ok(asked.messages.some(({ content }) => content === 'What does a day pass cost?'));

    await page.locator('#main').getByText('Search', { exact: true }).click();
    await page.getByLabel('Test question').fill('price of a day pass');
    await page.locator('#main').getByRole('button', { name: 'Search' }).click();
    const hit = page.getByRole('list', { name: 'Passages' }).locator('li');
    const passage = /Prices\s+[01]\.\d{3}\s+\S+[^]*A day pass costs 12 euros\./;
    await waitUntilMatches(() => hit.innerText(), passage);
    await page.getByLabel('Test question').fill('Can my dog ride along on the weekend pass?');
    await page.locator('#main').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'No relevant passages' }).waitFor();
    await page.getByText('a relevance of 0.50 or more').waitFor();
    const near = page.getByRole('list', { name: 'Nearest passages' }).locator('li');
    await waitUntilMatches(
      () => near.innerText(),
      /Prices\s+relevance 0\.[0-4]\d of 0\.50 needed · score 0\.\d{3}[^]*A day pass costs 12 euros\./,
    );
    await takePicture(page, 'console-retrieval');
  });
});
