import { In } from 'typeorm';
import type { Page } from 'playwright-core';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { connectChat, savePolicy } from '../alerts/support.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });
/** Chooses an action in the menu of an alert policy. */
export async function act(page: Page, about: string, name: string): Promise<void> {
  await button(page, `Actions: ${about}`).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
/** Finds the card of the alert policy with this name. */
export const findCard = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });

/** Builds alert policies of all kinds, by their names. */
export async function buildPolicies(parley: SharedParley, org: TestOrg, zone = 'UTC') {
  const save = async (channel: 'telegram' | 'whatsapp', policy: object) =>
    savePolicy(org, {
      channel,
      destination: await connectChat(parley, org, channel),
      timezone: zone,
      ...policy,
    });
  const blocked = await save('telegram', { label: 'Workshop', intensity: 'digest', digest: 'weekly' });
  const off = await save('telegram', { label: 'Old phone', intensity: 'off' });
  const unverified = await savePolicy(org, {
    channel: 'telegram',
    destination: '@harbour_bikes',
    events: ['handoff.requested', 'message.created'],
  });
  const reception = await save('telegram', { label: 'Reception', daily_cap: 50 });
  const capped = await save('whatsapp', {
    label: 'Duty phone',
    intensity: 'all',
    daily_cap: 20,
    digest: 'daily',
  });
  const { database } = parley;
  await database
    .repository(AlertDestination)
    .update(
      { orgId: org.orgId, destination: blocked.destination },
      { blockedAt: new Date(), blockedReason: 'The bot was removed from the group.' },
    );
  await database
    .repository(AlertPolicy)
    .update({ id: In([blocked.id]) }, { lastError: 'Forbidden: bot was kicked from the supergroup chat' });
  await addDay(parley, capped, { sent: 20, held: 7 });
  await addDay(parley, reception, { sent: 12, held: 0 });
  return { capped, blocked, off, unverified, reception };
}

/** Adds messages that an alert policy has sent and held back today. */
async function addDay(
  { database }: SharedParley,
  { id, timezone }: { id: string; timezone: string },
  counts: { sent: number; held: number },
): Promise<void> {
  const { orgId } = await database.repository(AlertPolicy).findOneByOrFail({ id });
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format(
    new Date(),
  );
  await database.repository(AlertDay).upsert({ policyId: id, orgId, date, ...counts }, ['policyId', 'date']);
}
