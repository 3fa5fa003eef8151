import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { takePicture, useConsoles } from './support.ts';

describe('the inbox of the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  /** A visitor who has said something and asked for a person. */
  async function buildWaiting() {
    const session = await buildSession(parley, { handoff_enabled: true });
    await session.visitor.post(`${session.path}/messages`, { content: 'My bike has a flat tyre.' });
    const ask = () => session.visitor.post(`${session.path}/handoff`, { reason: 'It is urgent.' });
    return { ...session, id: session.session.session_id as string, ask };
  }

  it('shows a visitor who asks for a person at once, who it is for, and how long they wait', async () => {
    const { key, id, ask } = await buildWaiting();
    const page = await consoles().signedIn(parley, key);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('Nobody waits.').waitFor();
    await ask();
    const row = page.locator(`[data-id="${id}"]`);
    await row.waitFor();
    assert.match(await row.innerText(), /is there\s+It is urgent\.\s+waiting\s*\d s\s+2 messages/);
    const waited = () => row.locator('time').innerText();
    const before = await waited();
    await page.waitForFunction(
      ([shown, rowId]) => document.querySelector(`[data-id="${rowId}"] time`)?.textContent !== shown,
      [before, id],
    );
  });

  it('is claimed, answered, released and resolved, and the visitor gets what is said', async () => {
    const { key, id, ask, visitor, path } = await buildWaiting();
    await ask();
    const page = await consoles().signedIn(parley, key);
    await page.locator(`[data-id="${id}"]`).click();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByText('yours').waitFor();
    await page.getByLabel('Reply to the visitor').fill('We will be there in ten minutes.');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('We will be there in ten minutes.').waitFor();
    const { body: messages } = await visitor.get(`${path}/messages`);
    assert.equal(messages.at(-1).content, 'We will be there in ten minutes.');
    await visitor.post(`${path}/messages`, { content: 'Thank you!' });
    await page.getByRole('log').getByText('Thank you!').waitFor();
    await takePicture(page, 'console-inbox');
    await page.getByRole('button', { name: 'Release to the bot' }).click();
    await page.getByText('Nobody waits.').waitFor();
    await page.getByText('The bot answers. Take the conversation over to write yourself.').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    assert.equal((await parley.client(key).get(`/api/conversations/${id}`)).body.resolved, true);
  });
});
