import assert from 'node:assert/strict';
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
import { button, inDialog, findRow, tab, useTeam } from './team-support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the team page', function () {
  let parley: TestParley;
  const { consoles, open, addMember, readRole } = useTeam(this, (started) => (parley = started));

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
      const page = await open(person, '#/team', { viewport: { width: 1280, height: 420 } });
      await button(page, 'Change role of Grace Hopper').click();
      await page.getByLabel('Role', { exact: true }).selectOption('admin');
      await inDialog(page, 'Save').click();
      await page.getByText('Grace Hopper is admin now.').waitFor();
      await findRow(page, 'Grace Hopper').getByText('admin', { exact: true }).waitFor();
      assert.equal(await readRole(grace.userId, orgId), 'admin');
      await takePicture(page, 'console-team');
      await button(page, 'Remove Tom Ito').click();
      await inDialog(page, 'Remove').click();
      await page.getByText('Tom Ito is no longer a member.').waitFor();
      assert.equal(await readRole(tom.userId, orgId), undefined);

      await button(page, 'Leave').click();
      await inDialog(page, 'Leave').click();
      await page.getByRole('dialog').getByRole('alert').getByText('owner').waitFor();

      const una = await addMember(orgId, 'Una Ito', 'admin');
      await parley.database.repository(User).update(una.userId, { emailVerifiedAt: null });
      await inDialog(page, 'Cancel').click();
      await page.reload();
      await button(page, 'Change role of Una Ito').waitFor();
      await waitUntilEqual(() => button(page, 'Hand over the workspace to Una Ito').count(), 0);
      await button(page, 'Hand over the workspace to Grace Hopper').click();
      await page.getByLabel('Your password').fill('wrong');
      await inDialog(page, 'Hand it over').click();
      await page.getByText('This is not your password.').waitFor();
      await page.getByLabel('Your password').fill(PASSWORD);
      await inDialog(page, 'Hand it over').click();
      await page.getByText('Grace Hopper is an owner now, and you are an admin.').waitFor();
      await button(page, 'Hand over the workspace to Grace Hopper').waitFor({ state: 'detached' });
      assert.deepEqual(
        [await readRole(grace.userId, orgId), await readRole(userId, orgId)],
        ['owner', 'admin'],
      );
    },
  );

  itInSoak(
    'updateOrg changes name and settings, shows errors and identity providers, and keeps concurrent changes of another tab',
    async () => {
      const person = await buildPerson(parley);
      const { client, orgId } = person;
      const page = await open(person, '#/team/settings');
      await page.getByLabel('Name of the workspace').fill('Harbour Bikes');
      const language = page.getByLabel('Language of new bots');
      await language.getByText('German').waitFor({ state: 'attached' });
      const languages = await language.locator('option').allInnerTexts();
      assert.deepEqual(languages, [
        'The visitor’s',
        'Dutch',
        'English',
        'French',
        'German',
        'Italian',
        'Portuguese',
        'Spanish',
      ]);
      await language.selectOption('German');
      await page.getByLabel('Time zone').fill('Mars/Olympus');
      await button(page, 'Save').click();
      await page.getByText('must be a time zone such as Europe/Lisbon').waitFor();
      await page.getByLabel('Time zone').fill('Europe/Lisbon');
      await button(page, 'Save').click();
      await page.getByText('Saved.').waitFor();
      await assertSignedInAs(page, 'Harbour Bikes');
      const { body } = await client.get(`/api/orgs/${orgId}`);
      assert.deepEqual(
        [body.name, body.settings],
        ['Harbour Bikes', { default_language: 'de', time_zone: 'Europe/Lisbon' }],
      );

      await page.getByText('no identity provider is on').waitFor();
      await page.getByText(`${parley.baseUrl}/sign-in/<name>`).waitFor();
      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'PARLEY_IDENTITY_PROVIDERS' }).click();
      const settings = await opened;
      await settings.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
      await settings.getByText('OpenID Connect issuers: JSON').waitFor();
      await waitUntilEqual(() => settings.locator('dt').count(), Object.keys(settingDefinitions).length);

      await page.reload();
      await page.getByLabel('Name of the workspace').waitFor();
      await client.patch(`/api/orgs/${orgId}`, { name: 'Quay Bikes', settings: { default_language: 'nl' } });
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      await button(page, 'Save').click();
      await page.getByText('Saved.').waitFor();
      const { body: merged } = await client.get(`/api/orgs/${orgId}`);
      assert.deepEqual(
        [merged.name, merged.settings],
        ['Quay Bikes', { default_language: 'nl', time_zone: 'Europe/Berlin' }],
      );
      await waitUntilEqual(() => page.getByLabel('Name of the workspace').inputValue(), 'Quay Bikes');
    },
  );

  itInSoak('shows what a role may do, and lets every member leave', async () => {
    const { orgId } = await buildPerson(parley);
    await addMember(orgId, 'Grace Hopper', 'member');
    const admin = await addMember(orgId, 'Ann Admin', 'admin');
    const viewer = await addMember(orgId, 'Vera Viewer', 'viewer');
    const ofAdmin = await open(admin);
    await button(ofAdmin, 'Change role of Grace Hopper').click();
    const roles = await ofAdmin.getByLabel('Role', { exact: true }).locator('option').allInnerTexts();
    assert.deepEqual(
      roles.map((text) => text.split(':')[0]),
      ['Member', 'Admin', 'Viewer'],
    );
    await waitUntilEqual(() => button(ofAdmin, 'Change role of Ada Okafor').count(), 0);
    await waitUntilEqual(() => button(ofAdmin, 'Remove Ada Okafor').count(), 0);

    const ofViewer = await open(viewer);
    await findRow(ofViewer, 'Grace Hopper').waitFor();
    await assertSignedInAs(ofViewer, 'Vera Viewer');
    await waitUntilEqual(
      () => ofViewer.getByRole('navigation', { name: 'Parts of the team' }).getByRole('link').allInnerTexts(),
      ['Members'],
    );
    await waitUntilEqual(() => ofViewer.locator('td button').count(), 1);
    await button(ofViewer, 'Leave').click();
    await inDialog(ofViewer, 'Leave').click();
    await ofViewer.getByRole('heading', { name: 'Sign in to Parley' }).waitFor();
    assert.equal(await readRole(viewer.userId, orgId), undefined);
  });

  it('invites, sends another link, and revokes', async () => {
    const person = await buildPerson(parley);
    const { orgId } = person;
    const page = await open(person, '#/team/invitations');
    await page.getByText('There are no invitations yet.').waitFor();
    const address = page.getByLabel('E-mail address');
    await address.fill('grace@example.com');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.locator('#main').getByRole('link', { name: 'Members' }).click();
    await page.goBack();
    await waitUntilEqual(() => address.inputValue(), 'grace@example.com');
    await button(page, 'Invite').click();
    await page.getByRole('heading', { name: 'grace@example.com is invited' }).waitFor();
    await waitUntilEqual(() => page.getByLabel('Role', { exact: true }).inputValue(), 'viewer');
    await page
      .getByText("Email isn't configured, so messages are saved to the dev mailbox at /dev/mail.")
      .waitFor();
    const link = await page.getByRole('textbox', { name: 'Link to hand on' }).inputValue();
    await button(page, 'Done').click();
    await page.getByRole('textbox', { name: 'Link to hand on' }).waitFor({ state: 'detached' });
    const guest = await consoles().visit(`${parley.baseUrl}/invitations/${link.split('/').at(-1)}`);
    await guest.getByLabel('Your name').fill('Grace Hopper');
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(guest, 'Create account').click();
    await guest.getByText('Then open this link once more to join.').waitFor();
    await guest.getByRole('link', { name: '/dev/mail' }).waitFor();
    const row = findRow(page, 'grace@example.com');
    for (const text of ['pending', 'viewer']) await row.getByText(text, { exact: true }).waitFor();
    await row.getByText('mail on its way').waitFor();
    await address.fill('grace@example.com');
    await address.press('Enter');
    await page.getByRole('alert').getByText('This address is already invited').waitFor();

    const invitations = parley.database.repository(Invitation);
    const { id } = await invitations.findOneByOrFail({ orgId });
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
    await row.getByText('mail kept at /dev/mail').waitFor();
    await row.getByText(/^reminded /).waitFor();
    await invitations.update({ orgId }, { expiresAt: new Date(Date.now() - 1000) });
    await page.reload();
    await row.getByText('expired', { exact: true }).waitFor();
    await waitUntilEqual(() => button(page, 'Revoke the invitation of grace@example.com').count(), 0);
    await button(page, 'Resend the link to grace@example.com').click();
    await row.getByText('pending', { exact: true }).waitFor();
    assert.equal((await invitations.findOneByOrFail({ orgId })).revision, 2);
    await button(page, 'Revoke the invitation of grace@example.com').click();
    await inDialog(page, 'Revoke').click();
    await row.getByText('revoked', { exact: true }).waitFor();
    await waitUntilEqual(() => row.getByRole('button').count(), 0);

    await address.fill('tom@example.com');
    await address.press('Enter');
    const accepted = findRow(page, 'tom@example.com');
    await accepted.getByText('pending', { exact: true }).waitFor();
    await invitations.update({ email: 'tom@example.com' }, { status: 'accepted', acceptedAt: new Date() });
    await accepted.getByText('accepted', { exact: true }).waitFor();
  });

  itInSoak(
    'creates, rotates and revokes API keys, shows the actors in the audit log, names every control, and fits a phone',
    async () => {
      const person = await buildPerson(parley);
      const page = await open(person, '#/team/keys');
      await button(page, 'New API key').click();
      await inDialog(page, 'Cancel').click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button(page, 'New API key').click();
      await page.getByLabel('What it is for').fill('Website');
      await button(page, 'Create the key').click();
      await page.getByText('Choose at least one thing that the key may do.').waitFor();
      await page.getByLabel('Ends on').fill('2020-01-31');
      await page.getByLabel('bots:read', { exact: true }).check();
      await button(page, 'Create the key').click();
      await page.getByText('The end must be in the future.').waitFor();
      await goToPlace(page, 'team/members');
      await page.goBack();
      await button(page, 'New API key').click();
      await waitUntilEqual(() => page.getByLabel('What it is for').inputValue(), 'Website');
      await waitUntilEqual(() => page.getByLabel('bots:read', { exact: true }).isChecked(), true);
      await page.getByLabel('Ends on').fill('');
      await button(page, 'Create the key').click();
      const shown = page.getByRole('dialog', { name: 'API key', exact: true }).getByLabel('API key');
      const key = await shown.inputValue();
      await button(page, 'I have kept it').click();
      assert.equal((await parley.client(key).get('/api/bots')).status, 200);
      assert.equal((await parley.client(key).get('/api/contacts')).status, 403);

      await button(page, 'Rotate Website').click();
      await inDialog(page, 'Cancel').click();
      await button(page, 'Rotate Website').click();
      await page.getByLabel('The old key still works').selectOption('1');
      await button(page, 'Make the next key').click();
      const next = await shown.inputValue();
      assert.notEqual(next, key);
      for (const each of [key, next]) assert.equal((await parley.client(each).get('/api/bots')).status, 200);
      await button(page, 'I have kept it').click();
      const newest = findRow(page, `…${next.slice(-4)}`);
      await newest.getByRole('button', { name: 'Revoke Website' }).click();
      await inDialog(page, 'Revoke').click();
      await page.getByText('The API key is revoked.').waitFor();
      assert.equal((await parley.client(next).get('/api/bots')).status, 401);

      await tab(page, 'Audit log').click();
      // The log names the replaced key and its successor.
      await findRow(page, 'rotateApiKey').nth(1).waitFor();
      await page.getByLabel('Operation').fill('createApiKey');
      await button(page, 'Search').click();
      await findRow(page, 'rotateApiKey').first().waitFor({ state: 'detached' });
      await findRow(page, 'createApiKey').getByText('Ada Okafor').waitFor();
      await page.getByLabel('Since').fill('2126-01-31');
      await page.getByText('Nothing that fits was done.').waitFor();
      await page.goBack();
      await findRow(page, 'createApiKey').waitFor();

      for (let count = 0; count < 51; count += 1)
        await person.client.post('/api/bots', { name: `Bot ${count}` });
      await page.setViewportSize({ width: 360, height: 700 });
      await page.goto(`${parley.baseUrl}/console#/team/audit?operation=createBot`);
      await button(page, 'Show more').click();
      await page.locator('tbody tr').nth(50).waitFor();
      await waitUntilEqual(() => button(page, 'Show more').count(), 0);
      for (const name of ['Audit log', 'Tools', 'Invitations', 'API keys', 'Members', 'Workspaces']) {
        await tab(page, name).click();
        await page.locator('table, .empty').waitFor();
        await waitUntilEqual(() => page.evaluate(NAMELESS), [], name);
        assert.ok((await page.locator('main').evaluate((main) => main.scrollWidth)) <= 360, name);
      }
    },
  );

  itInSoak(
    'listToolInvocations shows calls of assistants, by tool and outcome, and their connections',
    async () => {
      const person = await buildPerson(parley);
      const page = await open(person, '#/team/tools');
      await page.getByText('No tool has been called yet.').waitFor();
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
      await page.getByLabel('Outcome').selectOption('failed');
      await findRow(page, 'add_knowledge').waitFor({ state: 'detached' });
      await findRow(page, 'get_bot').getByText('not_found').waitFor();
      await page.getByLabel('Tool', { exact: true }).selectOption('ask_bot');
      await page.getByText('No call fits these filters.').waitFor();
    },
  );
});
