import type { SharedParley } from '../support/parley.ts';
import type { Page } from 'playwright-core';
import type { Consoles } from './support.ts';

/** Builds a bot in a new workspace. */
export async function buildBot(parley: SharedParley, config: object = {}) {
  const org = await parley.buildOrg();
  const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk', ...config });
  return { ...org, bot, url: `/api/bots/${bot.id}` as const };
}

/** Opens the console at a page of a new bot. */
export async function openNewBot(
  consoles: Consoles,
  parley: SharedParley,
  part: string,
  config: object = {},
) {
  const built = await buildBot(parley, config);
  const page = await consoles.openWithKey(parley, built.key, `#/bots/${built.bot.id}/${part}`);
  return { ...built, page };
}

/** Opens a section of the console's bot studio. */
export async function openSection(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Sections of the bot' }).getByRole('link', { name }).click();
}
