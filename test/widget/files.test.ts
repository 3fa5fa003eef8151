import assert from 'node:assert/strict';
import { upload } from '../conversations/files-support.ts';
import { buildPng } from '../support/images.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { translations } from '../../widget/languages.ts';
import { fileWords } from '../../widget/files/words.ts';

const PHOTO = buildPng(64, 48).toString('base64');

/** Drops or pastes a photograph in the widget, as a browser does when the visitor drags it from a folder. */
function give({ page }: WidgetPage, how: 'drop' | 'paste', name: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const root = document.querySelector('parley-widget').shadowRoot;
    const bytes = Uint8Array.from(atob('${PHOTO}'), (each) => each.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], '${name}', { type: 'image/png' }));
    const options = { bubbles: true, cancelable: true, composed: true };
    const panel = root.querySelector('.panel');
    if ('${how}' === 'drop') {
      panel.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: transfer }));
      panel.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: transfer }));
    } else {
      const field = root.querySelector('textarea');
      field.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: transfer }));
    }
  })()`);
}

describe('files in the widget', () => {
  const scene = useWidgetScene();

  async function visit(overrides: object = {}, options: object = {}) {
    const theme = { widget_theme: { files: 'all' }, handoff_enabled: true };
    const built = await buildActiveBot(scene.parley, { ...theme, ...overrides });
    const page = await scene.visits.visit(built.bot, options);
    await page.open();
    return { ...built, visit: page };
  }

  /** Opens the widget of a bot that accepts files, and waits for the button to attach a file. */
  async function visitWithFiles(overrides: object = {}, options: object = {}) {
    const visited = await visit(overrides, options);
    await visited.visit.panel.locator('button.attach').waitFor();
    return visited;
  }

  it('are dropped and pasted, sent with or without a text, shown after a reload, and answered by a file of an agent', async () => {
    scene.answer = 'Thank you.';
    const { visit: page, client, bot } = await visitWithFiles();
    const thumbnails = page.panel.locator('.files img');
    const uploaded = page.panel.getByText('is attached');
    await give(page, 'drop', 'front.png');
    await uploaded.waitFor({ state: 'attached' });
    await give(page, 'paste', 'back.png');
    await waitUntilEqual(() => uploaded.textContent(), 'back.png is attached');
    assert.equal(await page.panel.locator('.attachments li').count(), 2);
    await page.input.press('Enter');
    await waitUntilSaid(page, ['user: front.png, back.png', 'assistant: Thank you.']);
    await waitUntilEqual(() => thumbnails.count(), 2);
    assert.equal(await page.panel.locator('.attachments li').count(), 0);

    const { body } = await client.get(`/api/conversations?bot_id=${bot.id}`);
    const { id } = body.items[0]!;
    const filesPath = `/api/ext/conversations/${id}/files` as const;
    const { body: files } = await client.get(filesPath);
    assert.deepEqual(
      files.map(({ name }) => name),
      ['front.png', 'back.png'],
    );
    await client.post(`/api/inbox/${id}/claim`, {});
    const sent = await upload(client, filesPath, 'Twelve euros.', { name: 'prices.txt' });
    assert.equal(sent.status, 201);
    const link = page.panel.locator('.files a.file');
    await link.waitFor();
    assert.equal(await link.textContent(), 'prices.txt13 bytes');

    await page.page.reload();
    await waitUntilEqual(() => thumbnails.count(), 2);
    const decoded = `() => [...document.querySelector('parley-widget').shadowRoot.querySelectorAll('.files img')].every((each) => each.naturalWidth === 64)`;
    await waitUntilEqual(() => page.page.evaluate(`(${decoded})()`), true);
    const response = await fetch((await link.getAttribute('href'))!);
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="prices.txt"');
    assert.equal(await response.text(), 'Twelve euros.');
    assert.deepEqual(page.errors, []);
  });

  it('can be removed, and name what is wrong in the language of the visitor, on a phone', async () => {
    const { visit: page } = await visitWithFiles(
      { language: 'de', widget_theme: { files: 'images' } },
      { viewport: { width: 390, height: 720 } },
    );
    await give(page, 'drop', 'front.png');
    await page.button('front.png entfernen').click();
    await waitUntilEqual(() => page.panel.locator('.attachments li').count(), 0);
    const [chooser] = await Promise.all([
      page.page.waitForEvent('filechooser'),
      page.button('Dateien anhängen').click(),
    ]);
    await chooser.setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
    await page.waitForText('notes.txt hat einen Typ, der nicht angenommen wird.');
    await page.input.fill('Hallo');
    await page.input.press('Enter');
    assert.deepEqual(await page.readMessages(), []);
    await page.button('notes.txt entfernen').click();
    await page.input.press('Enter');
    await waitUntilEqual(async () => (await page.readMessages())[0], 'user: Hallo');
  });

  it('have no button unless the bot’s theme names them', async () => {
    const { visit: page } = await visit({ widget_theme: {} });
    await page.input.waitFor();
    assert.equal(await page.button('Attach files').count(), 0);
  });

  it('have texts in every language of the widget', () => {
    assert.deepEqual(Object.keys(fileWords).toSorted(), ['en', ...translations].toSorted());
    for (const [language, words] of Object.entries(fileWords))
      assert.equal(new Set(Object.values(words)).size, 10, language);
  });
});
