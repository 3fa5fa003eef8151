import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { ANSWER, listAllConversations } from '../widget/support.ts';

describe('the widget on a page that the browser suspends', () => {
  const scene = useWidgetScene();

  /** Opens a widget conversation that a team member has taken over. */
  async function startHandoff() {
    const { bot, client } = await buildActiveBot(scene.parley, { handoff_enabled: true });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('Hello');
    await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team…');
    const [conversation] = await listAllConversations(client);
    const reply = async (content: string) => {
      const { status } = await client.post(`/api/inbox/${conversation!.id}/reply`, { content });
      assert.equal(status, 201);
    };
    const untilStored = (text: string) =>
      waitUntil(async () => {
        const { body } = await client.get(`/api/conversations/${conversation!.id}/messages`);
        return body.some(({ content }) => content === text);
      }, `“${text}” to be stored`);
    await reply('one');
    const said = ['user: Hello', ANSWER, 'agent: one'];
    await waitUntilSaid(visit, said);
    return { bot, visit, reply, untilStored, said };
  }

  const setState = async (context: BrowserContext, page: Page, state: 'frozen' | 'active') => {
    const browser = await context.newCDPSession(page);
    await browser.send('Page.setWebLifecycleState', { state });
    await browser.detach();
  };

  it('shows messages to a frozen tab once it thaws', async () => {
    const { visit, reply, said } = await startHandoff();
    const { page } = visit;
    await setState(page.context(), page, 'frozen');
    await reply('two');
    await reply('three');
    await setState(page.context(), page, 'active');
    await waitUntilSaid(visit, [...said, 'agent: two', 'agent: three']);
    await reply('four');
    await waitUntilSaid(visit, [...said, 'agent: two', 'agent: three', 'agent: four']);
  });

  /** Fires the event by which a browser tells a page that it is suspended, or shown again. */
  const tellPage = ({ page }: WidgetPage, type: 'pagehide' | 'pageshow') =>
    page.evaluate(`void window.dispatchEvent(new PageTransitionEvent('${type}', { persisted: true }))`);

  it('closes its stream when the visitor leaves the page, and shows missed messages after a return through the history', async () => {
    const { bot, visit, reply, untilStored, said } = await startHandoff();
    const { page } = visit;
    let closed = 0;
    page.on('requestfailed', (request) => {
      if (request.url().endsWith('/events')) closed += 1;
    });
    // Close the stream as a browser would, because headless Chromium does not suspend pages.
    await tellPage(visit, 'pagehide');
    await waitUntil(() => closed === 1, 'the stream to be closed');
    await setState(page.context(), page, 'frozen');
    const later = await scene.visits.visit(bot, { context: page.context() });
    await later.open();
    await waitUntilSaid(later, said);
    await later.say('Anybody?');
    await untilStored('Anybody?');
    await reply('two');
    const more = [...said, 'user: Anybody?', 'agent: two'];
    await waitUntilSaid(later, more);
    await later.close();
    await setState(page.context(), page, 'active');
    await tellPage(visit, 'pageshow');
    await waitUntilSaid(visit, more);
    await reply('three');
    await waitUntilSaid(visit, [...more, 'agent: three']);
  });

  it('shows the new conversation that a page opened later has started', async () => {
    const { bot, visit } = await startHandoff();
    const { page } = visit;
    await tellPage(visit, 'pagehide');
    await setState(page.context(), page, 'frozen');
    const later = await scene.visits.visit(bot, { context: page.context() });
    await later.open();
    await later.choose('End chat');
    await later.button('End chat').click();
    await later.button('Start a new conversation').click();
    await later.say('Again');
    await waitUntilSaid(later, ['user: Again', ANSWER]);
    await later.close();
    await setState(page.context(), page, 'active');
    await tellPage(visit, 'pageshow');
    await waitUntilSaid(visit, ['user: Again', ANSWER]);
    await waitUntilEqual(() => visit.errors, []);
  });
});
