import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { openSharedBrowser } from '../support/browser.ts';
import { buildPassage } from '../support/knowledge.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildActiveBot } from '../support/widget.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the reference page', function () {
  let context: BrowserContext | undefined;
  let parley: SharedParley;
  before(async function () {
    const browser = await openSharedBrowser();
    if (!browser) return this.skip();
    context = await browser.newContext({ viewport: { width: 1280, height: 2400 }, reducedMotion: 'reduce' });
    parley = await startSharedParley();
  });
  after(async () => {
    await context?.close();
  });

  /** Opens the page and enters a key. */
  async function openWithKey() {
    const built = await buildActiveBot(parley);
    const page = await context!.newPage();
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text());
    });
    await page.goto(`${parley.baseUrl}/docs`);
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const dialog = page.locator('.modal-ux');
    const ofKey = dialog.locator('.auth-container').filter({ hasText: 'apiKey' });
    await ofKey.locator('input').fill(built.key);
    await ofKey.getByRole('button', { name: 'Apply credentials' }).click();
    await dialog.locator('.close-modal').click();
    return { ...built, page, blocked };
  }

  /** Opens an operation on the page, which renders visible ones alone. */
  async function openOperation(page: Page, operation: string) {
    const [tag = ''] = operation.split('/');
    await page.getByPlaceholder('Filter by tag').fill(tag);
    const block = page.locator(`#operations-${operation.replace('/', '-')}`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.samples').waitFor();
    return block;
  }

  /** Makes the form of an operation editable. */
  async function tryOut(page: Page, operation: string) {
    const block = await openOperation(page, operation);
    await block.getByRole('button', { name: 'Try it out' }).click();
    const respond = async () => {
      await block.getByRole('button', { name: 'Execute' }).click();
      const shown = block.locator('.live-responses-table .response');
      await shown.waitFor();
      const status = await shown.locator('.response-col_status').innerText();
      const body = await shown.locator('.highlight-code code').first().textContent();
      return { status: status.trim().slice(0, 3), body: body ?? '' };
    };
    return { block, respond };
  }

  for (const width of [1280, 375])
    itInSoak(
      `shows the id of each operation, which guides and the command line use, ${width} pixels wide`,
      async () => {
        const page = await context!.newPage();
        await page.setViewportSize({ width, height: 2400 });
        await page.goto(`${parley.baseUrl}/docs`);
        await page.getByPlaceholder('Filter by tag').fill('flows');
        const document = (await parley.client().get('/openapi.json')).body as {
          paths: Record<string, Record<string, { tags: string[]; operationId: string }>>;
        };
        const documented = Object.values(document.paths)
          .flatMap((methods) => Object.values(methods))
          .filter(({ tags }) => tags.includes('flows'));
        const ids = page.locator('.opblock-summary-operation-id');
        await waitUntilEqual(
          async () => (await ids.allInnerTexts()).toSorted(),
          documented.map(({ operationId }) => operationId).toSorted(),
        );
        const heights = await ids.evaluateAll((each) => each.map((id) => id.clientHeight));
        assert.ok(Math.max(...heights) < 24, `each id is on one line: ${heights.join(', ')}`);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        assert.equal(await page.evaluate(overflow), 0);
        await page.close();
      },
    );

  it('runs listBots and createBot with the entered key and values', async () => {
    const { page, bot, client, blocked } = await openWithKey();
    const list = await tryOut(page, 'bots/listBots');
    const { status, body } = await list.respond();
    assert.equal(status, '200');
    assert.equal((JSON.parse(body) as { items: { id: string }[] }).items[0]?.id, bot.id);
    const create = await tryOut(page, 'bots/createBot');
    const created = await create.respond();
    assert.equal(created.status, '201');
    const { id, name } = JSON.parse(created.body) as { id: string; name: string };
    assert.equal((await client.get(`/api/bots/${id}`)).body.name, name);
    assert.deepEqual(blocked, []);
    // The page stores the key nowhere.
    const kept = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
    assert.deepEqual(kept, [0, 0, '']);
  });

  itInSoak('uploads a file, and shows the events of a stream', async () => {
    const { page, bot, orgId } = await openWithKey();
    const upload = await tryOut(page, 'knowledge/uploadDocument');
    await upload.block.getByPlaceholder('bot_id').fill(bot.id);
    await upload.block.locator('input[type=file]').setInputFiles({
      name: 'prices.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('A day pass costs 12 euros.'),
    });
    const { status, body } = await upload.respond();
    assert.equal(status, '201', body);
    assert.equal((JSON.parse(body) as { mime_type: string }).mime_type, 'text/markdown');
    await buildPassage(parley.database, { orgId, botId: bot.id }, 'A day pass costs 12 euros.');
    const stream = await tryOut(page, 'bots/tryBot');
    await stream.block.getByPlaceholder('bot_id').fill(bot.id);
    await stream.block.locator('.responses-wrapper select').first().selectOption('text/event-stream');
    const told = await stream.respond();
    assert.equal(told.status, '200');
    assert.match(told.body, /event: delta[^]*12 euros[^]*event: done/);
  });

  itInSoak('shows samples of each operation in the chosen language, and by keyboard', async () => {
    const page = await context!.newPage();
    await page.goto(`${parley.baseUrl}/docs`);
    const readFocusedText = () => page.evaluate('document.activeElement.textContent');
    const ofCreate = (await openOperation(page, 'bots/createBot')).locator('.samples');
    assert.match(await ofCreate.locator('pre').innerText(), /await client\.bots\.create\(\{ name: /);
    await ofCreate.getByRole('tab', { name: 'TypeScript' }).focus();
    await page.keyboard.press('ArrowRight');
    await waitUntilEqual(readFocusedText, 'Python');
    const ofPython = ofCreate.getByRole('tabpanel', { name: 'Python' });
    assert.match(await ofPython.innerText(), /client\.bots\.create\(name=/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await waitUntilEqual(readFocusedText, 'curl');
    const ofList = (await openOperation(page, 'bots/listBots')).locator('.samples');
    assert.match(await ofList.getByRole('tabpanel', { name: 'curl' }).innerText(), /^curl 'http/);
    assert.equal(await ofList.getByRole('tab', { selected: true }).innerText(), 'curl');
  });
});
