import type { Page } from 'playwright-core';
import { newId } from '../../core/ids.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import { buildPerson } from '../accounts/support.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { useConsoles } from './support.ts';

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const tab = (page: Page, name: string) =>
  page.locator('#main').getByRole('navigation').getByRole('link', { name, exact: true });
export const inDialog = (page: Page, name: string) => button(page, name).and(page.locator('[role=dialog] *'));
/** Opens the menu with the actions on a row or an object. */
export const openMenu = (page: Page, about: string) => button(page, `Actions: ${about}`).first().click();
export const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
/** Chooses an action in the menu of a row or an object. */
export async function act(page: Page, about: string, name: string): Promise<void> {
  await openMenu(page, about);
  await menuItem(page, name).click();
}
export const findRow = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Starts a Parley and browsers for tests of the console's team pages, around the tests of a `describe`. */
export function useTeam(suite: Mocha.Suite, onStarted: (parley: TestParley) => void) {
  const consoles = useConsoles(suite);
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
    onStarted(parley);
  });
  after(() => parley?.stop());

  async function open(person: TestOrg, place = '/team', options = {}): Promise<Page> {
    const page = await consoles().openAsPerson(parley, person, place, options);
    await page.locator('h1').waitFor();
    return page;
  }

  /** Adds another member with this name to a workspace. */
  async function addMember(orgId: string, fullName: string, role: OrgRole) {
    const person = await buildPerson(parley);
    const { userId } = person;
    await parley.database.sql('DELETE FROM orgs WHERE id = $1', [person.orgId]);
    await parley.database.repository(User).update(userId, { fullName });
    const membershipId = newId();
    await parley.database.repository(Membership).insert({ id: membershipId, orgId, userId, role });
    return { ...person, orgId, membershipId };
  }

  const readRole = async (userId: string, orgId: string) =>
    (await parley.database.repository(Membership).findOneBy({ userId, orgId }))?.role;

  return { consoles, open, addMember, readRole };
}
