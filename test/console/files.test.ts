import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { upload } from '../conversations/files-support.ts';
import { buildPng } from '../support/images.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { useConsoles } from './support.ts';
import { buildWaiting } from './waiting-visitor.ts';

/** Pastes a text file into the reply's field, as a browser does for files of the clipboard. */
function paste(page: Page, name: string, content: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['${content}'], '${name}'));
    const field = document.querySelector('.composer-form textarea');
    field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
  })()`);
}

describe('files in conversations of the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  async function openConversation(files: string | null, options: object = {}) {
    const waiting = await buildWaiting(parley, { widget_theme: { files } });
    await waiting.ask();
    await waiting.client.post(`/api/inbox/${waiting.id}/claim`);
    const page = await consoles().openWithKey(parley, waiting.key, `#/inbox/${waiting.id}`, options);
    await page.getByRole('textbox', { name: 'Reply' }).waitFor();
    return { ...waiting, page };
  }

  it('show images of the visitor, and send files that are chosen and pasted', async () => {
    const { page, visitor, client, id, path } = await openConversation('all');
    const filesPath = `/api/ext${path.slice('/api'.length)}/files`;
    const clientId = 'photograph';
    await upload(visitor, filesPath, buildPng(640, 480), { name: 'bike.png', client_id: clientId });
    await visitor.post(`${path}/messages`, { content: 'Look at this.', client_id: clientId });
    const log = page.getByRole('log');
    const image = log.getByRole('img', { name: 'bike.png' });
    await image.waitFor();
    const readSize = (property: string) =>
      page.evaluate(`document.querySelector('img[alt="bike.png"]').${property}`);
    await waitUntilEqual(() => readSize('naturalWidth'), 640);
    assert.equal(await readSize('width'), 240);

    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Send files' }).click();
    await (
      await chooser
    ).setFiles({
      name: 'invoice.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('part,price\ntyre,12\n'),
    });
    const invoice = log.getByRole('article').filter({ hasText: 'invoice.csv' });
    await waitUntilMatches(() => invoice.innerText(), /^\s*invoice\.csv\s+19 bytes\s*\d\d:\d\d$/);
    await paste(page, 'prices.txt', 'Twelve euros.');
    const link = log.getByRole('link', { name: 'prices.txt 13 bytes' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(download.suggestedFilename(), 'prices.txt');
    const { body } = await client.get(`/api/ext/conversations/${id}/files` as const);
    assert.deepEqual(
      body.map(({ name }) => name),
      ['bike.png', 'invoice.csv', 'prices.txt'],
    );
    await takePicture(page, 'console-files');
  });

  itInSoak('name the file that is refused, and keep the reply', async () => {
    const { page } = await openConversation('all');
    const reply = page.getByRole('textbox', { name: 'Reply' });
    await reply.fill('Here it is.');
    await paste(page, 'page.html', '<!doctype html><p>Hello</p>');
    await page.getByText('page.html: HTML pages are not accepted.').waitFor();
    assert.equal(await reply.inputValue(), 'Here it is.');
  });

  itInSoak('have no button if the bot accepts none', async () => {
    const { page } = await openConversation(null);
    await page.getByRole('button', { name: 'Saved replies' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send files' }).count(), 0);
  });
});
