import assert from 'node:assert/strict';
import { signedIdentity } from '../support/identity-token.ts';
import { until, untilEqual } from '../support/until.ts';
import { untilSaid, type WidgetPage } from '../support/widget-page.ts';
import { widgetScene } from '../support/widget-scene.ts';
import { buildActiveBot } from '../support/widget.ts';
import { ANSWER } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const FORM = {
  enabled: true,
  trigger: 'before_chat',
  fields: [{ key: 'name', label: 'Name', type: 'text', required: true }],
};

/** @param secret without one the token is none that a bot accepts */
const tokenOf = (sub: string, secret = '') => signedIdentity(secret, { sub, email: `${sub}@example.org` });

const announced = (visit: WidgetPage) => visit.panel.locator('.unseen[role=status]').textContent();

describe('the widget, told who the visitor is,', () => {
  const scene = widgetScene();

  itInSoak('makes one contact of somebody who leaves a name, and then signs in', async () => {
    const { bot, client } = await buildActiveBot(scene.parley, { lead_capture_config: FORM });
    const { body: embed } = await client.get(`/api/bots/${bot.id}/embed`);
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.panel.getByLabel('Name').fill('Ada');
    await visit.panel.locator('#consent').check();
    await visit.button('Send').first().click();
    await visit.sees('Thank you, your details are stored.');
    await visit.say('one');
    await untilSaid(visit, ['user: one', ANSWER]);
    await visit.page.evaluate(`Parley.identify(${JSON.stringify(tokenOf('ada', embed.identity_secret!))})`);
    await untilSaid(visit, []);
    // They are known: the form is not shown a second time.
    await visit.say('two');
    await untilSaid(visit, ['user: two', ANSWER]);
    const { items } = (await client.get('/api/contacts')).body;
    const contacts = items.map((each) => [each.name, each.email, each.conversation_count]);
    assert.deepEqual(contacts, [['Ada', 'ada@example.org', 2]]);
  });

  it('begins anew for another visitor id of the page, and after signing out', async () => {
    const { bot, client } = await buildActiveBot(scene.parley);
    const context = await scene.visits.newContext();
    const as = (id: string | null) =>
      scene.visits.visit(bot, {
        context,
        page: { html: id === null ? '' : `<script>window.ParleySettings={visitorId:"${id}"}</script>` },
      });
    const ada = await as('ada');
    await ada.open();
    await ada.say('my number?');
    await untilSaid(ada, ['user: my number?', ANSWER]);
    await ada.page.reload();
    await ada.launcher.waitFor();
    await untilSaid(ada, ['user: my number?', ANSWER]);
    await ada.close();
    for (const id of ['grace', null]) {
      const other = await as(id);
      await other.open();
      await other.say('Hello');
      await untilSaid(other, ['user: Hello', ANSWER]);
      await other.close();
    }
    const { items } = (await client.get('/api/conversations')).body;
    const ids: string[] = items.map((each) => each.visitor_id);
    assert.deepEqual(ids.slice(1), ['grace', 'ada']);
    assert.match(ids[0]!, /^visitor_/);
  });

  itInSoak('leaves nothing of one visitor in the panel for the next one', async () => {
    const { bot } = await buildActiveBot(scene.parley, {
      lead_capture_config: { ...FORM, trigger: 'manual' },
    });
    const visit = await scene.visits.visit(bot, { attributes: `data-identity-token="${tokenOf('ada')}"` });
    await visit.open();
    await visit.say('my number?');
    await until(async () => (await announced(visit))!.includes('A day pass'), 'the answer to be read out');
    await visit.choose('Leave contact details');
    await visit.panel.getByLabel('Name').fill('Ada');
    await visit.page.evaluate(`Parley.identify(${JSON.stringify(tokenOf('grace'))})`);
    await untilSaid(visit, []);
    await until(async () => (await announced(visit)) === '', 'nothing to be read out');
    await untilEqual(() => visit.panel.getByLabel('Name').count(), 0);
    await untilEqual(async () => (await visit.panel.innerText()).includes('day pass'), false);
  });

  itInSoak(
    'opens for the page before the page has told who the visitor is, and shows nobody’s conversation',
    async () => {
      const { bot } = await buildActiveBot(scene.parley);
      const context = await scene.visits.newContext();
      const html = `<script>const token = new Promise((resolve) => { window.tell = resolve }); window.ParleySettings = { identityToken: () => token }</script>`;
      const known = await scene.visits.visit(bot, {
        context,
        attributes: `data-identity-token="${tokenOf('ada')}"`,
      });
      await known.open();
      await known.say('my number?');
      await untilSaid(known, ['user: my number?', ANSWER]);
      await known.close();

      const visit = await scene.visits.visit(bot, { context, page: { html } });
      await visit.page.waitForFunction("'Parley' in window");
      await visit.page.evaluate('Parley.open()');
      await visit.panel.waitFor();
      await visit.say('Hello');
      await visit.page.waitForTimeout(500);
      assert.deepEqual(await visit.said(), ['user: Hello']);
      await visit.page.evaluate(`tell(${JSON.stringify(tokenOf('grace'))})`);
      await untilSaid(visit, ['user: Hello', ANSWER]);
    },
  );

  itInSoak('talks to somebody whom the page never identifies', async () => {
    const { bot } = await buildActiveBot(scene.parley);
    const context = await scene.visits.newContext();
    await context.clock.install();
    const html = `<script>window.ParleySettings={identityToken:()=>new Promise(()=>{})}</script>`;
    const visit = await scene.visits.visit(bot, { context, page: { html } });
    await visit.open();
    await visit.say('Hello');
    await visit.sees('Sending …');
    const answered = untilSaid(visit, ['user: Hello', ANSWER]);
    for (let round = 0; round < 3; round += 1) {
      await context.clock.fastForward(10_000);
      await visit.page.waitForTimeout(200);
    }
    await answered;
  });
});
