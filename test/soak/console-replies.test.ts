import assert from 'node:assert/strict';
import { scopes as allScopes } from '../../api/http/access/scopes.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { createApiKey } from '../../services/installation/bootstrap.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { signIn, signOut, useConsoles } from '../console/support.ts';
import {
  buildWaiting,
  findAssignee,
  findBubbles,
  findSent,
  listReplies,
} from '../console/waiting-visitor.ts';

describe('a reply from the inbox of the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('stays editable if a colleague claimed the conversation first, is sent once if its response was lost, and keeps its order after being offline', async () => {
    const { key, id, ask, orgId } = await buildWaiting(parley);
    const grace = await parley.buildOrg({ orgId });
    await parley.database.repository(User).update(grace.userId, { fullName: 'Grace Hopper' });
    await ask();
    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    const untilSent = (count: number) =>
      waitUntil(async () => (await findSent(page).count()) === count, `${count} to be sent`);
    await page.route('**/api/inbox/*/reply', async (route) => {
      await grace.client.post(`/api/inbox/${id}/claim`);
      await route.continue();
    });
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.fill('Hello?');
    await field.press('Enter');
    await page.getByText('Grace Hopper is handling this conversation.', { exact: true }).waitFor();
    const bubble = page.getByRole('log').locator('article', { hasText: 'Hello?' });
    await page.getByRole('log').getByText('Not sent', { exact: true }).waitFor();
    await bubble.getByText('Grace Hopper has this conversation.').waitFor();
    assert.deepEqual(await listReplies(parley, key, id), []);
    await page.unroute('**/api/inbox/*/reply');
    await page.getByRole('button', { name: 'Take over' }).click();
    await findAssignee(page, 'Ada Okafor').waitFor();
    await bubble.getByRole('button', { name: 'Edit' }).click();
    await waitUntil(async () => (await field.inputValue()) === 'Hello?', 'the text in the field');
    await bubble.waitFor({ state: 'detached' });

    let count = 0;
    await page.route('**/api/inbox/*/reply', async (route) => {
      count += 1;
      if (count > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await field.fill('On our way.');
    await page.getByRole('button', { name: 'Send' }).click();
    await waitUntil(() => count === 2, 'the reply to be sent again');
    await untilSent(1);
    assert.deepEqual(await listReplies(parley, key, id), ['On our way.']);
    await page.unroute('**/api/inbox/*/reply');

    await page.context().setOffline(true);
    for (const text of ['One.', 'Two.']) {
      await field.fill(text);
      await field.press('Enter');
    }
    await waitUntil(
      async () => (await page.locator('.bubble[data-state="failed"]').count()) === 2,
      'both to fail',
    );
    await page.context().setOffline(false);
    await page
      .locator('.bubble[data-state="failed"]')
      .getByRole('button', { name: 'Try again' })
      .last()
      .click();
    await untilSent(3);
    assert.deepEqual(await listReplies(parley, key, id), ['On our way.', 'One.', 'Two.']);

    const send = page.getByRole('button', { name: 'Send', exact: true });
    const bicycles = '\u{1f6b2}'.repeat(20_000);
    await field.fill(`${bicycles}!`);
    await page.getByText('1 character too many').waitFor();
    await waitUntilEqual(() => send.isDisabled(), true);
    await field.fill(bicycles);
    await send.click();
    await untilSent(4);
    assert.equal((await listReplies(parley, key, id)).at(-1), bicycles);
  });

  it('can be sent again once with a button after a failure, even after a reload, until its author signs out after a warning', async () => {
    const { key, id, ask } = await buildWaiting(parley);
    await ask();
    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    let isLost = true;
    const keys: (string | null)[] = [];
    await page.route('**/api/inbox/*/reply', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key'));
      if (!isLost) return route.continue();
      await route.fetch();
      await route.abort();
    });
    const field = page.getByRole('textbox', { name: 'Reply' });
    await field.fill('On our way.');
    await field.press('Enter');
    const failed = page.locator('.bubble[data-state="failed"]');
    await failed.getByText("Can't reach Parley. Check your connection and try again.").waitFor();
    await waitUntilEqual(() => field.inputValue(), '');
    await field.fill('Second thought');
    await page.reload();
    await failed.waitFor();
    await waitUntilEqual(() => field.inputValue(), 'Second thought');
    isLost = false;
    await failed.getByRole('button', { name: 'Try again' }).click();
    await waitUntil(async () => (await failed.count()) === 0, 'the reply to be sent');
    await findSent(page).waitFor();
    assert.equal(new Set(keys).size, 1);
    assert.deepEqual(await listReplies(parley, key, id), ['On our way.']);
    await waitUntilEqual(() => field.inputValue(), 'Second thought');

    await signOut(page);
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await waitUntilEqual(() => field.inputValue(), 'Second thought');
    await signOut(page);
    await question.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, key);
    await field.waitFor();
    await waitUntilEqual(() => field.inputValue(), '');
    await signOut(page);
    await page.getByRole('button', { name: 'Use an API key' }).waitFor();
  });

  it('is removed from the text field at once, and is sent once however often Enter is pressed', async () => {
    const { key, id, bot, ask } = await buildWaiting(parley);
    await ask();
    const { body: other } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    await parley
      .client(other.visitor_token)
      .post(`/api/public/sessions/${other.session_id}/handoff`, { reason: 'Hello?' });
    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/inbox/*/reply', async (route) => {
      await held;
      await route.continue();
    });
    const field = page.getByRole('textbox', { name: 'Reply' });
    await page.getByRole('log').getByText('My bike has a flat tyre.').waitFor();
    await field.fill('First answer.');
    await Promise.all([1, 2, 3].map(() => page.keyboard.press('Enter')));
    await waitUntilEqual(() => findBubbles(page).allInnerTexts(), ['First answer.']);
    await page.getByRole('log').getByText('Sending…').waitFor();
    await waitUntilEqual(() => field.inputValue(), '');
    await field.pressSequentially('Second thought');
    await waitUntilEqual(() => field.inputValue(), 'Second thought');
    await page.locator(`[data-id="${other.session_id}"]`).click();
    await page.getByRole('log').getByText('The visitor asked for a person: Hello?').waitFor();
    await waitUntilEqual(() => field.inputValue(), '');
    await waitUntilEqual(() => findBubbles(page).count(), 0);
    await page.locator(`[data-id="${id}"]`).click();
    await waitUntil(async () => (await field.inputValue()) === 'Second thought', 'its draft');
    await field.press('Enter');
    letGo();
    await waitUntil(async () => (await findSent(page).count()) === 2, 'both to be sent');
    await waitUntilEqual(() => findBubbles(page).count(), 2);
    assert.deepEqual(await listReplies(parley, key, id), ['First answer.', 'Second thought']);
  });

  it('is restored with unsaved settings when its author signs in again after access ended, but not for another person', async () => {
    const { key, id, bot, ask, orgId, userId } = await buildWaiting(parley);
    await ask();
    const colleague = await parley.buildOrg({ orgId });
    const page = await consoles().openWithKey(parley, key, `#/bots/${bot.id}/instructions`);
    const [settings, field] = [page.getByLabel('Description'), page.getByRole('textbox', { name: 'Reply' })];
    const goTo = (place: string) => page.evaluate(`location.hash = '${place}'`);
    /**
     * Revokes a person's API key while their console is open.
     * @returns another key of the same person
     */
    const end = async (createdById: string): Promise<string> => {
      const { database } = parley;
      await database.repository(ApiKey).update({ createdById }, { revokedAt: new Date() });
      await goTo('#/conversations');
      await page.getByText('This API key was revoked or has expired.').waitFor();
      return createApiKey(database, { orgId, createdById, name: 'Next', scopes: allScopes });
    };
    await settings.fill('For the quay');
    await goTo(`#/inbox/${id}`);
    await field.fill('Between us:');

    await signIn(page, await end(userId));
    await goTo(`#/inbox/${id}`);
    await waitUntil(async () => (await field.inputValue()) === 'Between us:', 'the draft');
    await goTo(`#/bots/${bot.id}/instructions`);
    await waitUntil(async () => (await settings.inputValue()) === 'For the quay', 'the settings');

    await end(userId);
    await signIn(page, colleague.key);
    await goTo(`#/inbox/${id}`);
    await field.waitFor();
    await waitUntilEqual(() => field.inputValue(), '');
    await goTo(`#/bots/${bot.id}/instructions`);
    await settings.waitFor();
    await waitUntilEqual(() => settings.inputValue(), '');
  });
});
