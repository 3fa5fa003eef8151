import assert from 'node:assert/strict';
import { buildPerson } from '../../accounts/support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { useConsoles } from '../../console/support.ts';

const PREFERENCES = '/api/ext/console-preferences';

describe('preferences of the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('apply on another device than the one that has set them: theme, time zone and notifications (updateConsolePreferences)', async () => {
    const person = await buildPerson(parley);
    const { client: session } = await parley.signIn(person);
    const page = await consoles().openAsPerson(parley, person, '/account');
    // Neither wait until the first change is saved, nor until the last change is saved before leaving the
    // page.
    await page.locator('label', { hasText: 'Light' }).click();
    await page.locator('label', { hasText: 'Dark' }).click();
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Kiritimati');
    await page.getByRole('option', { name: 'Pacific/Kiritimati' }).click();
    await page.goto(`${parley.baseUrl}/console/inbox`);
    await page.getByRole('button', { name: 'Notifications' }).click();
    await page.getByLabel('A conversation is assigned to me').check();
    const read = async () => (await session.get(PREFERENCES)).body;
    const notifications = { waiting: false, assigned: true, reply: false, sound: false };
    await waitUntilEqual(read, {
      theme: 'dark',
      time_zone: 'Pacific/Kiritimati',
      notifications,
      has_dismissed_checklist: false,
    });

    const other = await consoles().openAsPerson(parley, person, '/account');
    await other.locator('html[data-mantine-color-scheme="dark"]').waitFor();
    await waitUntilEqual(
      () => other.getByRole('combobox', { name: 'Time zone' }).inputValue(),
      'Pacific/Kiritimati',
    );
    const signedIn = other.getByRole('region', { name: 'Active sessions' }).locator('time').first();
    const at = await signedIn.getAttribute('datetime');
    await signedIn.hover();
    const tooltip = await other.getByRole('tooltip').innerText();
    const inZone = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Pacific/Kiritimati',
    });
    assert.equal(tooltip, inZone.format(new Date(at!)));
    await other.goto(`${parley.baseUrl}/console/inbox`);
    await other.getByRole('button', { name: 'Notifications' }).click();
    await waitUntilEqual(() => other.getByLabel('A conversation is assigned to me').isChecked(), true);
  });
});
