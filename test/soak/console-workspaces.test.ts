import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { Invitation } from '../../entities/team/invitation.entity.ts';
import { buildPerson } from '../accounts/support.ts';
import type { TestParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { buildChild } from '../team/support.ts';
import { assertSignedInAs, assertWorkspace, goToPlace, switchWorkspace } from '../console/support.ts';
import { act, button, findRow, inDialog, useTeam } from '../console/team-support.ts';
import { waitUntilEqual } from '../support/wait-until.ts';

describe('the team page for child workspaces', function () {
  let parley: TestParley;
  const { open, addMember, readRole } = useTeam(this, (started) => (parley = started));

  const cell = (page: Page, name: string) => findRow(page, name).getByRole('link', { name, exact: true });
  const where = (page: Page) => page.getByRole('complementary', { name: 'Current workspace' });

  async function make(page: Page, name: string): Promise<void> {
    await button(page, 'Create sub-workspace').click();
    await page.getByLabel('Workspace name').fill(name);
    await inDialog(page, 'Create sub-workspace').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('creates a child, works in it under a banner, returns, and falls back to the parent when the child is deleted (createChildOrg, switchOrg, deleteOrg)', async () => {
    const person = await buildPerson(parley);
    const { client, orgId } = person;
    await client.patch(`/api/orgs/${orgId}`, { name: 'Harbour Bikes' });
    const page = await open(person);
    await goToPlace(page, 'team/workspaces');
    await page.getByText('No sub-workspaces yet').waitFor();
    await button(page, 'Create sub-workspace').click();
    await page.getByLabel('Workspace name').fill('\u00ad\u00ad');
    await inDialog(page, 'Create sub-workspace').click();
    await page.getByText('The name must contain').waitFor();
    await inDialog(page, 'Cancel').click();
    await make(page, 'North Branch');
    await cell(page, 'North Branch').waitFor();
    await waitUntilEqual(() => where(page).count(), 0);
    await act(page, 'North Branch', 'Open workspace');
    await where(page)
      .getByText("You're working in North Branch, a sub-workspace of Harbour Bikes.")
      .waitFor();
    await assertWorkspace(page, 'North Branch');
    await page.getByRole('heading', { name: 'Get your bot live' }).waitFor();
    await takePicture(page, 'console-child-workspace');
    await page.goto(`${parley.baseUrl}/console/bots`);
    await page.getByText('no bot', { exact: false }).first().waitFor();
    await page.reload();
    await where(page).getByText('North Branch').waitFor();
    await button(page, 'Back to Harbour Bikes').click();
    await where(page).waitFor({ state: 'detached' });
    await assertWorkspace(page, 'Harbour Bikes');

    await page.goto(`${parley.baseUrl}/console/team/workspaces`);
    await act(page, 'North Branch', 'Open workspace');
    await where(page).getByText('North Branch').waitFor();
    await page.goto(`${parley.baseUrl}/console/team/settings`);
    await button(page, 'Delete workspace').click();
    await page.getByRole('dialog').getByText("You'll be switched to Harbour Bikes.").waitFor();
    await inDialog(page, 'Delete workspace').click();
    await page.getByText('North Branch deleted').waitFor();
    await page.getByText('No sub-workspaces yet').waitFor();
    await assertSignedInAs(page, 'Harbour Bikes');
  });

  it('lets an admin of the parent work in a child without a membership, and hides parents from members', async () => {
    const owner = await buildPerson(parley);
    await owner.client.patch(`/api/orgs/${owner.orgId}`, { name: 'Harbour Bikes' });
    const child = await buildChild(owner.client, owner.orgId, 'North Branch');
    const admin = await addMember(owner.orgId, 'Ann Admin', 'admin');
    const page = await open(admin, '/team/workspaces');
    await act(page, 'North Branch', 'Open workspace');
    await where(page).getByText('North Branch').waitFor();
    await assertWorkspace(page, 'North Branch');
    await switchWorkspace(page, 'Harbour Bikes');
    await where(page).waitFor({ state: 'detached' });
    const below = await addMember(child.id, 'Ben Below', 'admin');
    const ofBelow = await open(below);
    await findRow(ofBelow, 'Ben Below').waitFor();
    await waitUntilEqual(() => where(ofBelow).count(), 0);
    const viewer = await addMember(owner.orgId, 'Vera Viewer', 'viewer');
    const ofViewer = await open(viewer, '/team/workspaces');
    await ofViewer.getByText('Only owners and admins can see sub-workspaces.').waitFor();
  });

  it('renames, disables, enables and deletes a child, or gives the reason for a refusal, and states the depth limit (updateOrg, deleteOrg)', async () => {
    const person = await buildPerson(parley);
    const { client, orgId } = person;
    const child = await buildChild(client, orgId, 'North Branch');
    const page = await open(person, '/team/workspaces');
    await cell(page, 'North Branch').click();
    await act(page, 'North Branch', 'Rename');
    await page.getByLabel('Workspace name').fill('South Branch');
    await inDialog(page, 'Rename').click();
    await page.getByRole('heading', { name: 'South Branch' }).waitFor();
    await act(page, 'South Branch', 'Turn off');
    await page.getByText('Bots and API keys in this workspace stop').waitFor();
    await inDialog(page, 'Turn off').click();
    await page.getByText('Off', { exact: true }).waitFor();
    const isActive = async () =>
      (await client.get(`/api/orgs/${orgId}/hierarchy`)).body.children[0]!.is_active;
    assert.equal(await isActive(), false);
    await act(page, 'South Branch', 'Turn on');
    await page.getByText('On', { exact: true }).waitFor();
    assert.equal(await isActive(), true);

    await make(page, 'Pier');
    await cell(page, 'Pier').waitFor();
    await act(page, 'South Branch', 'Delete');
    await page.getByText('All members lose access').waitFor();
    await inDialog(page, 'Delete').click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText('This workspace has sub-workspaces')
      .waitFor();
    await inDialog(page, 'Cancel').click();
    await cell(page, 'Pier').click();
    await page.getByRole('heading', { name: 'Pier' }).waitFor();
    await act(page, 'Pier', 'Delete');
    await inDialog(page, 'Delete').click();
    await page.getByText('Pier deleted').waitFor();
    await cell(page, 'South Branch').waitFor();
    await findRow(page, 'Pier').waitFor({ state: 'detached' });
    assert.deepEqual((await client.get(`/api/orgs/${child.id}/hierarchy`)).body.children, []);

    let last = child.id;
    for (let level = 2; level <= 4; level += 1) last = (await buildChild(client, last, `Level ${level}`)).id;
    await page.goto(`${parley.baseUrl}/console/team/workspaces/${last}`);
    await page.getByRole('heading', { name: 'Level 4' }).waitFor();
    await button(page, 'Create sub-workspace').click();
    await page.getByLabel('Workspace name').fill('Level 5');
    await inDialog(page, 'Create sub-workspace').click();
    await page.getByRole('dialog').getByText('Workspaces can be nested at most five levels deep').waitFor();
  });

  it('moves people to another workspace, and lists the people of a child (createInvitation, removeMember)', async () => {
    const person = await buildPerson(parley);
    const { client, orgId } = person;
    const child = await buildChild(client, orgId, 'North Branch');
    const grace = await addMember(orgId, 'Grace Hopper', 'member');
    const page = await open(person);
    await act(page, 'Grace Hopper', 'Move to another workspace');
    await page.getByRole('dialog').getByLabel('Workspace', { exact: true }).selectOption('North Branch');
    await page.getByRole('dialog').getByLabel('Role', { exact: true }).selectOption('viewer');
    await page.getByLabel(/^Remove Grace Hopper from /).check();
    await inDialog(page, 'Send invitation').click();
    await page.getByRole('textbox', { name: 'Invite link' }).waitFor();
    await inDialog(page, 'Done').click();
    await findRow(page, 'Grace Hopper').waitFor({ state: 'detached' });
    assert.equal(await readRole(grace.userId, orgId), undefined);
    const invitation = await parley.database.repository(Invitation).findOneByOrFail({ orgId: child.id });
    assert.deepEqual([invitation.email, invitation.role], [grace.email, 'viewer']);
    await goToPlace(page, 'team/workspaces');
    await cell(page, 'North Branch').click();
    await findRow(page, 'You').waitFor();
    await findRow(page, grace.email).getByText('Pending', { exact: true }).waitFor();
    await act(page, 'Ada Okafor', 'Leave workspace');
    await inDialog(page, 'Leave').click();
    await page.getByText('You left North Branch').waitFor();
    await findRow(page, 'You').waitFor({ state: 'detached' });
  });
});
