import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { settingDefinitions } from '../../core/settings/setting-definitions.ts';
import { newId } from '../../core/ids.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { buildPerson, PASSWORD } from '../accounts/support.ts';
import type { TestParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { goToPlace, assertSignedInAs, NAMELESS } from './support.ts';
import { act, button, findRow, inDialog, menuItem, openMenu, tab, useTeam } from './team-support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the team page', function () {
  let parley: TestParley;
  const { consoles, open, addMember, readRole } = useTeam(this, (started) => (parley = started));

  const botAccess = (page: Page) => page.getByRole('radiogroup', { name: 'Bots' });
  const chooseBotAccess = (page: Page) => botAccess(page).getByText('Read', { exact: true }).click();

  async function giveAddress(userId: string, email: string): Promise<string> {
    await parley.database.repository(User).update(userId, { email });
    return email;
  }

  itInSoak(
    'changes roles, removes members, and transfers the workspace to a member with a verified address',
    async () => {
      const person = await buildPerson(parley);
      const { userId, orgId } = person;
      await giveAddress(userId, 'ada@example.com');
      const [grace, tom] = [
        await addMember(orgId, 'Grace Hopper', 'member'),
        await addMember(orgId, 'Tom Ito', 'viewer'),
      ];
      await giveAddress(grace.userId, 'grace@example.com');
      await giveAddress(tom.userId, 'tom@example.com');
      const page = await open(person, '/team', { viewport: { width: 1280, height: 420 } });
      await act(page, 'Grace Hopper', 'Change role');
      await page.getByRole('radio', { name: 'Admin' }).check();
      await inDialog(page, 'Change role').click();
      await page.getByText('Role changed to Admin').waitFor();
      await findRow(page, 'Grace Hopper').getByText('Admin', { exact: true }).waitFor();
      assert.equal(await readRole(grace.userId, orgId), 'admin');
      await takePicture(page, 'console-team');
      await act(page, 'Tom Ito', 'Remove');
      await inDialog(page, 'Remove').click();
      await page.getByText('Tom Ito removed').waitFor();
      assert.equal(await readRole(tom.userId, orgId), undefined);

      await act(page, 'Ada Okafor', 'Leave workspace');
      await inDialog(page, 'Leave').click();
      await page.getByRole('dialog').getByRole('alert').getByText('owner').waitFor();

      const una = await addMember(orgId, 'Una Ito', 'admin');
      await parley.database.repository(User).update(una.userId, { emailVerifiedAt: null });
      await inDialog(page, 'Cancel').click();
      await page.reload();
      await openMenu(page, 'Una Ito');
      await menuItem(page, 'Change role').waitFor();
      await waitUntilEqual(() => menuItem(page, 'Transfer ownership').count(), 0);
      await page.keyboard.press('Escape');
      await menuItem(page, 'Change role').waitFor({ state: 'detached' });
      await act(page, 'Grace Hopper', 'Transfer ownership');
      await page.getByLabel('Your password').fill('wrong');
      await inDialog(page, 'Transfer ownership').click();
      await page.getByText('This is not your password.').waitFor();
      await page.getByLabel('Your password').fill(PASSWORD);
      await inDialog(page, 'Transfer ownership').click();
      await page.getByText('Grace Hopper is now an owner, and you are now an admin.').waitFor();
      await findRow(page, 'Grace Hopper').getByText('Owner', { exact: true }).waitFor();
      assert.deepEqual(
        [await readRole(grace.userId, orgId), await readRole(userId, orgId)],
        ['owner', 'admin'],
      );
    },
  );

  itInSoak(
    'changes name and settings, shows errors and identity providers, and keeps concurrent changes from another tab (updateOrg)',
    async () => {
      const person = await buildPerson(parley);
      const { client, orgId } = person;
      const page = await open(person, '/team/settings');
      await page.getByLabel('Workspace name').fill('Harbour Bikes');
      const language = page.getByLabel('Default language of new bots');
      await language.getByText('German').waitFor({ state: 'attached' });
      const languages = await language.locator('option').allInnerTexts();
      assert.deepEqual(languages, [
        "Visitor's language (auto)",
        'Dutch',
        'English',
        'French',
        'German',
        'Italian',
        'Portuguese',
        'Spanish',
      ]);
      await language.selectOption('German');
      const zone = page.getByRole('combobox', { name: 'Time zone' });
      await zone.fill('Mars/Olympus');
      await page.getByText('No time zones found').waitFor();
      await zone.fill('Lisbon');
      await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
      await button(page, 'Save changes').click();
      await page.getByText('Changes saved').waitFor();
      await assertSignedInAs(page, 'Harbour Bikes');
      const { body } = await client.get(`/api/orgs/${orgId}`);
      assert.deepEqual(
        [body.name, body.settings],
        ['Harbour Bikes', { default_language: 'de', time_zone: 'Europe/Lisbon' }],
      );

      await page.getByText("SSO isn't configured.").waitFor();
      await button(page, 'How to configure SSO').click();
      await page.getByText(`${parley.baseUrl}/sign-in/<name>`).waitFor();
      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'PARLEY_IDENTITY_PROVIDERS' }).click();
      const settings = await opened;
      await settings.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
      await settings.getByText('OpenID Connect issuers: JSON').waitFor();
      await waitUntilEqual(() => settings.locator('dt').count(), Object.keys(settingDefinitions).length);

      await page.reload();
      await page.getByLabel('Workspace name').waitFor();
      await client.patch(`/api/orgs/${orgId}`, { name: 'Quay Bikes', settings: { default_language: 'nl' } });
      await zone.fill('Berlin');
      await page.getByRole('option', { name: 'Europe/Berlin' }).click();
      await button(page, 'Save changes').click();
      await page.getByText('Changes saved').waitFor();
      const { body: merged } = await client.get(`/api/orgs/${orgId}`);
      assert.deepEqual(
        [merged.name, merged.settings],
        ['Quay Bikes', { default_language: 'nl', time_zone: 'Europe/Berlin' }],
      );
      await waitUntilEqual(() => page.getByLabel('Workspace name').inputValue(), 'Quay Bikes');
    },
  );

  itInSoak('shows what a role may do, and lets every member leave', async () => {
    const { orgId } = await buildPerson(parley);
    await addMember(orgId, 'Grace Hopper', 'member');
    const admin = await addMember(orgId, 'Ann Admin', 'admin');
    const viewer = await addMember(orgId, 'Vera Viewer', 'viewer');
    const ofAdmin = await open(admin);
    await act(ofAdmin, 'Grace Hopper', 'Change role');
    const roles = ofAdmin.getByRole('radio');
    await roles.nth(2).waitFor();
    assert.deepEqual(
      await roles.evaluateAll((radios) => radios.map((radio) => (radio as { value?: string }).value)),
      ['member', 'admin', 'viewer'],
    );
    await waitUntilEqual(() => button(ofAdmin, 'Actions: Ada Okafor').count(), 0);

    const ofViewer = await open(viewer);
    await findRow(ofViewer, 'Grace Hopper').waitFor();
    await assertSignedInAs(ofViewer, 'Vera Viewer');
    await waitUntilEqual(() => tab(ofViewer, 'Invitations').count(), 0);
    await waitUntilEqual(() => ofViewer.locator('td button').count(), 1);
    await act(ofViewer, 'Vera Viewer', 'Leave workspace');
    await inDialog(ofViewer, 'Leave').click();
    await ofViewer.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    assert.equal(await readRole(viewer.userId, orgId), undefined);
  });

  it('invites a person, sends another link, and revokes the invitation', async () => {
    const person = await buildPerson(parley);
    const { orgId } = person;
    const page = await open(person, '/team/invitations');
    await page.getByText('No pending invitations').waitFor();
    const address = page.getByRole('combobox', { name: 'Emails' });
    const dialog = page.getByRole('dialog');
    const invite = async (...emails: string[]): Promise<void> => {
      await button(page, 'Invite teammates').click();
      for (const email of emails) {
        await address.fill(email);
        await address.press('Enter');
      }
    };
    await invite('grace@example.com', 'una@example.com');
    await page.getByRole('radio', { name: 'Viewer' }).check();
    await goToPlace(page, 'team/members');
    await goToPlace(page, 'team/invitations');
    await invite();
    await dialog.getByText('una@example.com').waitFor();
    await waitUntilEqual(() => page.getByRole('radio', { name: 'Viewer' }).isChecked(), true);
    await button(page, 'Send 2 invitations').click();
    await page.getByRole('dialog', { name: '2 invitations sent' }).waitFor();
    await page
      .getByText("Email isn't configured, so messages are saved to the dev mailbox at /dev/mail.")
      .waitFor();
    const link = await dialog
      .getByRole('textbox', { name: 'Invite link for grace@example.com' })
      .inputValue();
    await button(page, 'Done').click();
    await dialog.waitFor({ state: 'detached' });
    const guest = await consoles().visit(`${parley.baseUrl}/invitations/${link.split('/').at(-1)}`);
    await guest.getByLabel('Your name').fill('Grace Hopper');
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(guest, 'Create account').click();
    await guest.getByText('Then open this link once more to join.').waitFor();
    await guest.getByRole('link', { name: '/dev/mail' }).waitFor();
    const row = findRow(page, 'grace@example.com');
    for (const text of ['Pending', 'Viewer']) await row.getByText(text, { exact: true }).waitFor();
    await row.getByText('Sending…').waitFor();
    await invite('grace@example.com');
    await button(page, 'Send invitation').click();
    await dialog.getByText(/^grace@example.com: .*already/).waitFor();
    await inDialog(page, 'Cancel').click();

    const invitations = parley.database.repository(Invitation);
    const { id } = await invitations.findOneByOrFail({ orgId, email: 'grace@example.com' });
    const scope = { orgId, db: parley.database };
    const {
      team: { invitations: service },
      mail: { mailDelivery },
    } = parley.runtime.services;
    await service.mailLink(scope, id);
    await parley.database.sql('UPDATE invitations SET remind_at = now() WHERE id = $1', [id]);
    await service.remind(scope, id);
    const mails = await parley.database.repository(MailRow).findBy({ orgId });
    for (const mail of mails) await mailDelivery.attempt(parley.database, mail.id);
    await row.getByText('Saved at /dev/mail').waitFor();
    await row.getByText(/ · reminded /).waitFor();
    await invitations.update({ orgId }, { expiresAt: new Date(Date.now() - 1000) });
    await page.reload();
    await row.getByText('Expired', { exact: true }).waitFor();
    await openMenu(page, 'grace@example.com');
    await waitUntilEqual(() => menuItem(page, 'Revoke').count(), 0);
    await menuItem(page, 'Resend').click();
    await button(page, 'Done').click();
    await row.getByText('Pending', { exact: true }).waitFor();
    assert.equal((await invitations.findOneByOrFail({ id })).revision, 2);
    await act(page, 'grace@example.com', 'Revoke');
    await inDialog(page, 'Revoke').click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    await waitUntilEqual(() => row.getByRole('button').count(), 0);

    await invite('tom@example.com');
    await button(page, 'Send invitation').click();
    await button(page, 'Done').click();
    const accepted = findRow(page, 'tom@example.com');
    await accepted.getByText('Pending', { exact: true }).waitFor();
    await invitations.update({ email: 'tom@example.com' }, { status: 'accepted', acceptedAt: new Date() });
    await accepted.getByText('Accepted', { exact: true }).waitFor();
  });

  itInSoak(
    'creates, rotates and revokes API keys, shows the actors in the audit log, names every control, and fits a phone',
    async () => {
      const person = await buildPerson(parley);
      const page = await open(person, '/team/keys');
      await button(page, 'Create API key').click();
      await inDialog(page, 'Cancel').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button(page, 'Create API key').click();
      await page.getByLabel('Name', { exact: true }).fill('Website');
      await button(page, 'Create key').click();
      await page.getByText('Select at least one scope.').waitFor();
      await page.getByLabel('Expires').fill('2020-01-31');
      await chooseBotAccess(page);
      await button(page, 'Create key').click();
      await page.getByText('The date must be in the future.').waitFor();
      await goToPlace(page, 'team/members');
      await page.goBack();
      await button(page, 'Create API key').click();
      await waitUntilEqual(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Website');
      await waitUntilEqual(() => botAccess(page).getByRole('radio', { name: 'Read' }).isChecked(), true);
      await page.getByLabel('Expires').fill('');
      await button(page, 'Create key').click();
      const shown = page.getByRole('dialog', { name: 'API key', exact: true }).getByLabel('API key');
      const key = await shown.inputValue();
      await button(page, "I've saved it").click();
      assert.equal((await parley.client(key).get('/api/bots')).status, 200);
      assert.equal((await parley.client(key).get('/api/contacts')).status, 403);

      await act(page, 'Website', 'Rotate');
      await inDialog(page, 'Cancel').click();
      await act(page, 'Website', 'Rotate');
      await page.getByLabel('Current key stops working').selectOption('1');
      await button(page, 'Create new key').click();
      const next = await shown.inputValue();
      assert.notEqual(next, key);
      for (const each of [key, next]) assert.equal((await parley.client(each).get('/api/bots')).status, 200);
      await button(page, "I've saved it").click();
      const newest = findRow(page, `…${next.slice(-4)}`);
      await newest.getByRole('button', { name: 'Actions: Website' }).click();
      await menuItem(page, 'Revoke').click();
      await inDialog(page, 'Revoke').click();
      await page.getByText('The API key is revoked.').waitFor();
      assert.equal((await parley.client(next).get('/api/bots')).status, 401);

      await goToPlace(page, 'team/audit');
      // Two lines of the audit log: one names the replaced API key, the other its successor.
      await findRow(page, 'rotated').nth(1).waitFor();
      await button(page, 'Operation').click();
      await page.getByRole('menuitemradio', { name: 'Create api key' }).click();
      await findRow(page, 'rotated').first().waitFor({ state: 'detached' });
      const creation = findRow(page, 'Ada Okafor created').first();
      await creation.getByRole('link', { name: 'the API key Website' }).waitFor();
      await page.getByLabel('Since').fill('2126-01-31');
      await page.getByText('No events match your filters.').waitFor();
      await page.goBack();
      await creation.waitFor();
      await button(page, 'Actions: createApiKey by Ada Okafor').first().click();
      await menuItem(page, 'View details').click();
      await page.getByRole('dialog').getByText('127.0.0.1').waitFor();
      await page.keyboard.press('Escape');
      const downloading = page.waitForEvent('download');
      await button(page, 'Export CSV').click();
      const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
      assert.match(lines[0]!, /^Time,Name,Email,API key,Operation,/);
      assert.match(lines[1]!, /,Ada Okafor,.*,createApiKey,/);

      for (let count = 0; count < 51; count += 1)
        await person.client.post('/api/bots', { name: `Bot ${count}` });
      await page.setViewportSize({ width: 360, height: 700 });
      await page.goto(`${parley.baseUrl}/console/team/audit?operation=createBot`);
      await button(page, 'Show more').click();
      await page.locator('tbody tr').nth(50).waitFor();
      await waitUntilEqual(() => button(page, 'Show more').count(), 0);
      for (const name of ['audit', 'tools', 'invitations', 'keys', 'members', 'workspaces', 'settings']) {
        await goToPlace(page, `team/${name}`);
        await page.locator('table, .empty-state, form').first().waitFor();
        await waitUntilEqual(() => page.evaluate(NAMELESS), [], name);
        assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 360, name);
      }
    },
  );

  itInSoak(
    'shows the calls of assistants by tool and outcome, and the assistants’ connections (listToolInvocations)',
    async () => {
      const person = await buildPerson(parley);
      const page = await open(person, '/team/tools');
      await page.getByText('No tool calls yet').waitFor();
      await page.getByText(`${parley.baseUrl}/mcp`).waitFor();
      const { body: key } = await person.client.get('/api/api-keys');
      const call = {
        orgId: person.orgId,
        apiKeyId: key[0]?.id ?? newId(),
        durationMs: 12,
        requestId: 'req_1',
      };
      const calls = parley.database.repository(ToolInvocation);
      await calls.insert({
        ...call,
        id: newId(),
        tool: 'add_knowledge',
        outcome: 'succeeded',
        arguments: { title: 'Hours', text: { length: 25, sha256: 'ab' } },
        client: 'claude-code 2.1.4',
      } as object);
      await calls.insert({
        ...call,
        id: newId(),
        tool: 'get_bot',
        outcome: 'failed',
        errorCode: 'not_found',
      });
      await button(page, 'Refresh').click();
      await findRow(page, 'text: 25 characters, title: Hours').getByText('claude-code 2.1.4').waitFor();
      await takePicture(page, 'console-tools');
      await button(page, 'Outcome').click();
      await page.getByRole('menuitemradio', { name: 'Failed' }).click();
      await findRow(page, 'add_knowledge').waitFor({ state: 'detached' });
      await findRow(page, 'get_bot').getByText('not_found').waitFor();
      await button(page, 'Tool').click();
      await page.getByRole('menuitemradio', { name: 'ask_bot' }).click();
      await page.getByText('No tool calls match your filters.').waitFor();
    },
  );
});
