import type { Locator, Page } from 'playwright-core';
import type { SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

const form = { enabled: true, fields: [{ key: 'name', label: 'Name' }] };

/**
 * Builds a visitor who has sent a message. The returned function `ask` requests a conversation with a team
 * member for the visitor.
 * @param overrides fields of the bot
 */
export async function buildWaiting(parley: SharedParley, overrides: object = {}) {
  const bot = { handoff_enabled: true, lead_capture_config: form, ...overrides };
  const session = await buildSession(parley, bot);
  await session.visitor.post(`${session.path}/messages`, { content: 'My bike has a flat tyre.' });
  const ask = () => session.visitor.post(`${session.path}/handoff`, { reason: 'It is urgent.' });
  return { ...session, id: session.session.session_id as string, ask };
}

/** Finds the bubbles of the team's messages, including unsent messages. */
export function findBubbles(page: Page): Locator {
  return page.getByRole('log').locator('.bubble[data-role="agent"]');
}

/** Finds the marks `Sent` below the messages that the page has sent. */
export function findSent(page: Page): Locator {
  return page.getByRole('log').locator('.message-foot', { hasText: /^Sent$/ });
}

/** Finds the button with the name of the team member who has the open conversation. */
export function findAssignee(page: Page, name: string): Locator {
  return page.getByRole('button', { name: new RegExp(`^${name} ?: change assignee$`) });
}

/** Opens one of the views of the inbox, such as “Mine”, from the links above the list. */
export async function openView(page: Page, name: 'Mine' | 'Unassigned' | 'All'): Promise<void> {
  await page.getByRole('navigation', { name: 'Inbox views' }).getByRole('link', { name }).click();
}

export async function listReplies(parley: SharedParley, key: string, id: string): Promise<string[]> {
  const { body } = await parley.client(key).get(`/api/conversations/${id}/messages`);
  const replies = body.filter(({ role }: { role: string }) => role === 'agent');
  return replies.map(({ content }: { content: string }) => content);
}
