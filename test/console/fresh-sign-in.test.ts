import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { givePassword, PASSWORD, type TestPerson } from '../accounts/support.ts';
import { buildChats } from '../archive/chats.ts';
import { buildOwner, KEY_NAME, startVault, type TestVault } from '../encryption/support.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe('a console session that began a while ago', function () {
  const consoles = useConsoles(this);
  let parley: TestParleyWithWorker;
  let vault: TestVault;
  before(async () => {
    [parley, vault] = await Promise.all([startParleyWithWorker(), startVault()]);
  });
  after(() => Promise.all([parley?.stop(), vault?.stop()]));

  const age = ({ userId }: TestPerson) =>
    parley.database.repository(Session).update({ userId }, { createdAt: new Date(Date.now() - 11 * 60_000) });

  async function open(org: TestOrg, place: string) {
    const person = await givePassword(parley, org);
    const page = await consoles().openAsPerson(parley, person, place);
    await age(person);
    return { page, person };
  }

  /** Signs in again in the console's dialog, and waits until the dialog has closed. */
  async function signInAgain(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText("Please confirm it's you before continuing.").waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  itInSoak('asks to sign in again, and continues, for createInvitation and resendInvitation', async () => {
    const { page, person } = await open(await parley.buildOrg(), '/team/invitations');
    await button(page, 'Invite teammates').click();
    await page.getByRole('combobox', { name: 'Emails' }).fill('grace@example.com');
    await page.keyboard.press('Enter');
    await button(page, 'Send invitation').click();
    await signInAgain(page);
    await page.getByRole('dialog', { name: '1 invitation sent' }).waitFor();
    await button(page, 'Done').click();
    await age(person);
    await button(page, 'Actions: grace@example.com').click();
    await page.getByRole('menuitem', { name: 'Resend' }).click();
    await signInAgain(page);
    const { orgId } = person;
    await waitUntilEqual(
      async () => (await parley.database.repository(Invitation).findOneByOrFail({ orgId })).revision,
      2,
    );
  });

  itInSoak(
    'asks to sign in again, and continues, for exportArchive, getArchiveDownload and exportContacts',
    async () => {
      const org = await parley.buildOrg();
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
      await buildChats(parley.database, { orgId: org.orgId, botIds: [bot.id] }, [{}]);
      const { page, person } = await open(org, '/archive');
      await page.getByText('No exports or imports yet').waitFor();
      await button(page, 'Export archive').click();
      await signInAgain(page);
      await page.getByText('1 conversation, 2 messages, 1 contact, 1 bot').waitFor();
      await age(person);
      const archive = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      await signInAgain(page);
      assert.match((await archive).suggestedFilename(), /^parley-archive-.*\.tar\.gz$/);
      await page.getByRole('link', { name: 'Contacts', exact: true }).click();
      await button(page, 'Export contacts').waitFor();
      await age(person);
      const contacts = page.waitForEvent('download');
      await button(page, 'Export contacts').click();
      await signInAgain(page);
      assert.match(await readFile(await (await contacts).path(), 'utf8'), /^id,/);
    },
  );

  itInSoak(
    'asks to sign in again, and continues, for updateOrg with a key service, setEncryption and rotateEncryptionKey',
    async () => {
      const owner = await buildOwner(parley);
      const { page, person } = await open(owner, '/encryption');
      await button(page, 'Configure KMS').click();
      const form = page.getByRole('dialog', { name: 'Configure KMS' });
      await form.getByLabel('URL').fill(vault.front.url);
      await form.getByLabel('Key name').fill(KEY_NAME);
      await form.getByLabel('Token').fill(vault.service.token);
      await button(page, 'Test and save').click();
      await signInAgain(page);
      await form.waitFor({ state: 'detached' });
      await page.getByText('Stored encrypted, never shown').waitFor();
      await age(person);
      await button(page, 'Switch to customer-managed key').click();
      const asked = page.getByRole('dialog', { name: 'Switch to customer-managed key?' });
      await asked.getByLabel('Type “Acme” to confirm').fill('Acme');
      await asked.getByRole('button', { name: 'Switch to customer-managed key' }).click();
      await signInAgain(page);
      await asked.waitFor({ state: 'detached' });
      await waitUntilEqual(() => button(page, 'Rotate key').isDisabled(), false);
      await age(person);
      await button(page, 'Rotate key').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
      await signInAgain(page);
      await page.getByText('Key rotated. The previous key is being retired.').waitFor();
    },
  );

  itInSoak('hides the identity secret of getBotEmbed until the person has signed in again', async () => {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const { body: embed } = await org.client.get(`/api/bots/${bot.id}/embed`);
    const { page } = await open(org, '#/bots');
    await page.goto(`${parley.baseUrl}/console#/bots/${bot.id}/embed`);
    await page.getByRole('textbox', { name: 'Snippet' }).waitFor();
    assert.equal(await page.getByLabel('Identity secret').count(), 0);
    await button(page, 'Show secret').click();
    await signInAgain(page);
    await waitUntilEqual(() => page.getByLabel('Identity secret').inputValue(), embed.identity_secret!);
  });
});
