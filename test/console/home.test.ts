import assert from 'node:assert/strict';
import { buildPerson } from '../accounts/support.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildBot } from './new-bot.ts';
import { MISNAMED, NAMELESS, useConsoles } from './support.ts';

describe('Home of the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('shows an empty workspace the steps to a live bot, ticks those that are done, and hides them on all devices once dismissed', async () => {
    const person = await buildPerson(parley);
    const { client } = person;
    const page = await consoles().openAsPerson(parley, person);
    const steps = page.getByRole('region', { name: 'Get your bot live' });
    await steps.getByText('0 of 5 steps done').waitFor();
    await steps.getByRole('link', { name: 'Create bot' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await client.post('/api/bots', { name: 'Help desk' });
    await page.goBack();
    await page.reload();
    await steps.getByText('1 of 5 steps done').waitFor();
    await steps.getByText('Create your bot (done)').waitFor();
    assert.deepEqual([await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)], [[], []]);
    await steps.getByRole('link', { name: 'Invite teammate' }).click();
    const invite = page.getByRole('dialog', { name: 'Invite teammates' });
    await invite.getByRole('button', { name: 'Cancel' }).click();
    await invite.waitFor({ state: 'detached' });
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/team/invitations`);
    await page.getByRole('link', { name: 'Home' }).click();
    await steps.getByRole('button', { name: 'Dismiss checklist' }).click();
    await waitUntilEqual(() => steps.count(), 0);
    const onOtherDevice = await consoles().openAsPerson(parley, person);
    await onOtherDevice.getByText("You're all caught up.").waitFor();
    assert.equal(await onOtherDevice.getByText('Get your bot live').count(), 0);
  });

  it('shows waiting visitors, the figures of the week and a live bot without knowledge', async () => {
    const { key, bot, client, url } = await buildBot(parley, { handoff_enabled: true, strict_kb_mode: true });
    await client.patch(url, { status: 'active' });
    const visitor = parley.client();
    const { body: session } = await visitor.post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const asVisitor = parley.client(session.visitor_token);
    await asVisitor.post(`/api/public/sessions/${session.session_id}/messages`, {
      content: 'Is the pool open?',
    });
    await asVisitor.post(`/api/public/sessions/${session.session_id}/handoff`, {});
    const page = await consoles().openWithKey(parley, key);
    await page
      .getByRole('region', { name: 'Waiting for you' })
      .getByRole('link', { name: 'Is the pool open?' })
      .waitFor();
    const week = page.getByRole('region', { name: 'Last 7 days' });
    await week.getByText('+1 from the week before').first().waitFor();
    await page.getByRole('link', { name: 'Help desk has no knowledge' }).click();
    await waitUntilEqual(() => new URL(page.url()).pathname, `/console/bots/${bot.id}/documents`);
  });
});
