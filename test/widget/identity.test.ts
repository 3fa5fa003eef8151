import assert from 'node:assert/strict';
import { signIdentityToken } from '../support/identity-token.ts';
import { waitUntil, waitUntilEqual } from '../support/wait-until.ts';
import { waitUntilSaid, type WidgetPage } from '../support/widget-page.ts';
import { useWidgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { ANSWER } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const FORM = {
  enabled: true,
  trigger: 'before_chat',
  fields: [{ key: 'name', label: 'Name', type: 'text', required: true }],
};

/** @param secret the bot’s identity secret; empty for a token that the bot refuses */
const buildToken = (sub: string, secret = '') =>
  signIdentityToken(secret, { sub, email: `${sub}@example.org` });

const readAnnouncement = (visit: WidgetPage) => visit.panel.locator('.unseen[role=status]').textContent();

describe('identified visitors of the widget', () => {
  const scene = useWidgetScene();

  itInSoak('become one contact if they leave a name and then sign in', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, { lead_capture_config: FORM });
    const { body: embed } = await client.get(`/api/bots/${bot.id}/embed`);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.panel.getByLabel('Name').fill('Ada');
    await visit.panel.locator('#consent').check();
    await visit.button('Send').first().click();
    await visit.waitForText("Thanks! We'll be in touch.");
    await visit.say('one');
    await waitUntilSaid(visit, ['user: one', ANSWER]);
    await visit.page.evaluate(
      `Parley.identify(${JSON.stringify(buildToken('ada', embed.identity_secret!))})`,
    );
    await waitUntilSaid(visit, []);
    // The form does not appear again, because the visitor's contact is known.
    await visit.say('two');
    await waitUntilSaid(visit, ['user: two', ANSWER]);
    const { items } = (await client.get('/api/contacts')).body;
    const contacts = items.map((each) => [each.name, each.email, each.conversation_count]);
    assert.deepEqual(contacts, [['Ada', 'ada@example.org', 2]]);
  });

  it('get a new conversation if the page sets another visitorId, and after signing out', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const context = await scene.visits.createContext();
    const visitAs = (id: string | null) =>
      scene.visits.visit(bot, {
        context,
        page: { html: id === null ? '' : `<script>window.ParleySettings={visitorId:"${id}"}</script>` },
      });
    const ada = await visitAs('ada');
    await ada.open();
    await ada.say('my number?');
    await waitUntilSaid(ada, ['user: my number?', ANSWER]);
    await ada.page.reload();
    await ada.launcher.waitFor();
    await waitUntilSaid(ada, ['user: my number?', ANSWER]);
    await ada.close();
    for (const id of ['grace', null]) {
      const other = await visitAs(id);
      await other.open();
      await other.say('Hello');
      await waitUntilSaid(other, ['user: Hello', ANSWER]);
      await other.close();
    }
    const { items } = (await client.get('/api/conversations')).body;
    const ids: string[] = items.map((each) => each.visitor_id);
    assert.deepEqual(ids.slice(1), ['grace', 'ada']);
    assert.match(ids[0]!, /^visitor_/);
  });

  itInSoak('see nothing of the previous visitor in the panel', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      lead_capture_config: { ...FORM, trigger: 'manual' },
    });
    const visit = await scene.visits.visit(bot, { attributes: `data-identity-token="${buildToken('ada')}"` });
    await visit.open();
    await visit.say('my number?');
    await waitUntil(
      async () => (await readAnnouncement(visit))!.includes('A day pass'),
      'the answer to be read out',
    );
    await visit.choose('Share contact details');
    await visit.panel.getByLabel('Name').fill('Ada');
    await visit.page.evaluate(`Parley.identify(${JSON.stringify(buildToken('grace'))})`);
    await waitUntilSaid(visit, []);
    await waitUntil(async () => (await readAnnouncement(visit)) === '', 'nothing to be read out');
    await waitUntilEqual(() => visit.panel.getByLabel('Name').count(), 0);
    await waitUntilEqual(async () => (await visit.panel.innerText()).includes('day pass'), false);
  });

  itInSoak(
    'can write before the page has identified them, and see no other visitor’s conversation',
    async () => {
      const { bot } = await buildActiveBot(scene.parley);
      const context = await scene.visits.createContext();
      const html = `<script>const token = new Promise((resolve) => { window.tell = resolve }); window.ParleySettings = { identityToken: () => token }</script>`;
      const known = await scene.visits.visit(bot, {
        context,
        attributes: `data-identity-token="${buildToken('ada')}"`,
      });
      await known.open();
      await known.say('my number?');
      await waitUntilSaid(known, ['user: my number?', ANSWER]);
      await known.close();

      const visit = await scene.visits.visit(bot, { context, page: { html } });
      await visit.page.waitForFunction("'Parley' in window");
      await visit.page.evaluate('Parley.open()');
      await visit.panel.waitFor();
      await visit.say('Hello');
      await visit.page.waitForTimeout(500);
      assert.deepEqual(await visit.readMessages(), ['user: Hello']);
      await visit.page.evaluate(`tell(${JSON.stringify(buildToken('grace'))})`);
      await waitUntilSaid(visit, ['user: Hello', ANSWER]);
    },
  );

  itInSoak('get an answer without an identity if the page never provides its token', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const context = await scene.visits.createContext();
    await context.clock.install();
    const html = `<script>window.ParleySettings={identityToken:()=>new Promise(()=>{})}</script>`;
    const visit = await scene.visits.visit(bot, { context, page: { html } });
    await visit.open();
    await visit.say('Hello');
    await visit.waitForText('Sending…');
    const answered = waitUntilSaid(visit, ['user: Hello', ANSWER]);
    for (let round = 0; round < 3; round += 1) {
      await context.clock.fastForward(10_000);
      await visit.page.waitForTimeout(200);
    }
    await answered;
  });
});
