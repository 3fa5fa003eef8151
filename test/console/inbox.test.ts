import assert from 'node:assert/strict';
import { User } from '../../entities/accounts/user.entity.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../support/wait-until.ts';
import { signIn, useConsoles } from './support.ts';
import { buildWaiting, findAssignee, findSent, listReplies, openView } from './waiting-visitor.ts';
import { itInSoak } from '../support/it-in-soak.ts';

describe('the inbox of the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  const renameUser = ({ userId }: { userId: string }, fullName: string) =>
    parley.database.repository(User).update(userId, { fullName });

  itInSoak(
    'shows a visitor who asks for a person at once, with name and waiting time, and counts waiting and unread conversations in all tabs',
    async () => {
      const { key, id, ask, client, visitor, path } = await buildWaiting(parley);
      const page = await consoles().openWithKey(parley, key, '#/inbox');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText("You're all caught up").waitFor();
      const other = await page.context().newPage();
      await other.goto(`${parley.baseUrl}/console#/bots`);
      await signIn(other, key);
      const counts = async (title: string, count: string) => {
        for (const [tab, name] of [
          [page, 'Inbox'],
          [other, 'Bots'],
        ] as const) {
          const link = tab.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: /^Inbox/ });
          const isShownInTab = async () =>
            (await tab.title()) === `${title}${name} · Parley console` &&
            (await link.innerText()).replaceAll(/\s/g, '') === `Inbox${count}`;
          await waitUntil(isShownInTab, `${title}${name}`);
        }
      };
      await counts('', '');
      // Change the conversation's time: a slow machine may take longer than the minute that the page shows as
      // “just now”.
      await parley.database.sql('UPDATE conversations SET last_message_at = now() WHERE id = $1', [id]);
      await ask();
      const row = page.locator(`[data-id="${id}"]`);
      await waitUntilMatches(
        () => row.innerText(),
        /^Visitor \w{4}\s*\(online\)\s+Waiting\s*\d+ s\s+My bike has a flat tyre\.$/,
      );
      const readWaitingTime = () => row.locator('.row-time time').innerText();
      const before = await readWaitingTime();
      await waitUntil(async () => (await readWaitingTime()) !== before, 'the waiting time to go on');
      await counts('(1) ', '1');
      await page.getByTitle('1 waiting').waitFor();
      await client.post(`/api/inbox/${id}/claim`);
      await counts('', '');
      await visitor.post(`${path}/messages`, { content: 'Is anybody there?' });
      await counts('(1) ', '1');
      await page.getByTitle('1 unread').waitFor();
      await waitUntilMatches(
        () => row.innerText(),
        /^Visitor \w{4}\s*\(online\)\s+just now\s+Is anybody there\?\s+Unread\s+AO\s+Assigned to you$/,
      );
      await row.click();
      await page.getByRole('log').getByText('Is anybody there?').waitFor();
      await counts('', '');
      await visitor.post(`${path}/messages`, { content: 'Hello?' });
      await page.getByRole('log').getByText('Hello?').waitFor();
      await counts('', '');
    },
  );

  itInSoak(
    'shows one panel at a time on a phone, and keeps the browser history, so that the back button works',
    async () => {
      const { key, id, ask } = await buildWaiting(parley);
      await ask();
      const page = await consoles().openWithKey(parley, key, '#/inbox', {
        viewport: { width: 390, height: 780 },
      });
      const row = page.locator(`[data-id="${id}"]`);
      await row.click();
      await page.getByRole('textbox', { name: 'Reply' }).waitFor();
      const newest = page.getByRole('log').getByText('The visitor asked for a person: It is urgent.');
      const [said, composer] = [
        (await newest.boundingBox())!,
        (await page.locator('.composer').boundingBox())!,
      ];
      assert.ok(said.y > 0 && said.y + said.height <= composer.y, 'nothing hides behind the reply');
      await waitUntilEqual(() => row.isVisible(), false);
      await page.getByRole('link', { name: 'Back' }).click();
      await page.setViewportSize({ width: 1280, height: 800 });
      await row.click();
      await page.getByRole('button', { name: 'Assign to me' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Assign to me' }).waitFor();
      await page.goBack();
      await page.getByText('Select a conversation').waitFor();
    },
  );

  it('lets an agent claim, answer, release and resolve; the visitor gets the answer, and the visitor’s name appears once known', async () => {
    const { key, id, ask, client, visitor, path } = await buildWaiting(parley);
    await ask();
    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    const row = page.locator(`[data-id="${id}"]`);
    await row.getByText('My bike has a flat tyre.').waitFor();
    await page.getByRole('heading', { name: /^Visitor \w{4}$/, level: 2 }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText('No contact details yet').waitFor();
    await page.getByRole('button', { name: 'Close details' }).click();
    assert.equal((await visitor.post(`${path}/lead`, { fields: { name: 'Ada Lovelace' } })).status, 200);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await findAssignee(page, 'Ada Okafor').waitFor();
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 2 }).waitFor();
    await row.getByText('Ada Lovelace').waitFor();
    await page.getByRole('textbox', { name: 'Reply' }).fill('We will be there in ten minutes.');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('We will be there in ten minutes.').waitFor();
    // Wait until the reply is stored, because the page shows it earlier.
    await waitUntil(async () => {
      const { body: messages } = await visitor.get(`${path}/messages`);
      return messages.at(-1)?.content === 'We will be there in ten minutes.';
    }, 'the reply');
    await visitor.post(`${path}/messages`, { content: 'Thank you!' });
    await page.getByRole('log').getByText('Thank you!').waitFor();
    await page.getByRole('button', { name: 'Hand back to bot' }).click();
    await page.getByText("You're all caught up").waitFor();
    await page.getByText('Select a conversation').waitFor();
    await page.goBack();
    await page.getByText('The bot is handling this conversation. Take over to reply.').waitFor();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('Conversation resolved').waitFor();
    await page.getByText('Select a conversation').waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Take over' }).waitFor();
    assert.equal((await client.get(`/api/conversations/${id}`)).body.resolved, false);
    assert.match(page.url(), new RegExp(`/console/inbox/${id}$`));
  });

  itInSoak(
    'prevents accidental messages in a colleague’s conversation, keeps a draft, and leaves the conversation unchanged if a takeover fails',
    async () => {
      const { key, id, ask, orgId, client } = await buildWaiting(parley);
      const grace = await parley.buildOrg({ orgId });
      await renameUser(grace, 'Grace Hopper');
      await ask();
      const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
      const field = page.getByRole('textbox', { name: 'Reply' });
      await field.fill('I was about to say');
      await grace.client.post(`/api/inbox/${id}/reply`, {
        content: 'Hello, it is Grace.',
      });
      await page.getByText('Grace Hopper is handling this conversation.', { exact: true }).waitFor();
      await waitUntilEqual(() => field.isDisabled(), true);
      await waitUntilEqual(() => field.inputValue(), 'I was about to say');
      await waitUntilEqual(() => page.getByRole('button', { name: 'Send' }).count(), 0);
      const said = page.getByRole('log').locator('article', { hasText: 'Hello, it is Grace.' });
      await waitUntilMatches(() => said.innerText(), /^Hello, it is Grace\.\s+\d\d:\d\d$/);
      await page.getByRole('log').locator('.message-head').getByText('Grace Hopper').waitFor();
      await page.getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByText('Grace Hopper is handling this conversation and will no longer be able to reply.')
        .waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      const calls: string[] = [];
      await page.route(/\/(claim|assign)$/, async (route) => {
        calls.push(route.request().url().split('/').at(-1)!);
        await route.abort();
      });
      await page.getByRole('button', { name: 'Take over' }).click();
      await page.getByText("Can't reach Parley.").first().waitFor();
      assert.deepEqual([...new Set(calls)], ['assign']);
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.assigned_to_id, grace.userId);
      await page.unroute(/\/(claim|assign)$/);
      await page.getByRole('button', { name: 'Take over' }).click();
      await findAssignee(page, 'Ada Okafor').waitFor();
      await waitUntilEqual(() => field.inputValue(), 'I was about to say');
      await field.press('End');
      await field.press('Enter');
      await findSent(page).waitFor();
      assert.deepEqual(await listReplies(parley, key, id), ['Hello, it is Grace.', 'I was about to say']);
      const events = page.getByRole('log').locator('.event');
      await events.nth(2).waitFor();
      const eventTexts = await events.allInnerTexts();
      const time = String.raw`\s+\d\d:\d\d$`;
      for (const [index, text] of [
        'The visitor asked for a person: It is urgent\\.',
        'Grace Hopper is now handling the conversation\\.',
        'Ada Okafor is now handling the conversation\\.',
      ].entries())
        assert.match(eventTexts[index] ?? '', new RegExp(`^${text}${time}`));
      assert.equal(eventTexts.length, 3);
      assert.equal((await client.get(`/api/conversations/${id}`)).body.message_count, 4);
    },
  );

  itInSoak(
    'reports that a colleague was faster, shows assignments at once, and hands over, by name, to any member who may answer',
    async () => {
      const { key, id, ask, orgId, client } = await buildWaiting(parley);
      const [grace, ann, vera] = [
        await parley.buildOrg({ orgId, role: 'member' }),
        await parley.buildOrg({ orgId, role: 'admin' }),
        await parley.buildOrg({ orgId, role: 'viewer' }),
      ];
      for (const [person, name] of [
        [grace, 'Grace Hopper'],
        [ann, 'Ann Admin'],
        [vera, 'Vera Viewer'],
      ] as const)
        await renameUser(person, name);
      await ask();
      const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
      const claim = page.getByRole('button', { name: 'Assign to me' });
      const takeOver = page.getByRole('button', {
        name: 'Take over the conversation from Grace Hopper',
      });
      await claim.waitFor();
      await page.route(
        '**/api/inbox/*/claim',
        async (route) => {
          await grace.client.post(`/api/inbox/${id}/claim`);
          await route.continue();
        },
        { times: 1 },
      );
      await claim.click();
      await page
        .getByText(
          'Grace Hopper is handling this conversation. To take it over, assign it to yourself first.',
        )
        .waitFor();
      // The error message stays on the page, but does not cover the button.
      await takeOver.click();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      const assign = async (name: string) => {
        await page.getByRole('button', { name: 'change assignee' }).click();
        await page.getByRole('menuitemradio', { name, exact: true }).click();
      };
      await findAssignee(page, 'Ada Okafor').click();
      const offered = await page
        .getByRole('menuitemradio')
        .locator('.mantine-Menu-itemLabel')
        .allInnerTexts();
      assert.deepEqual(offered, ['Unassigned', 'Ada Okafor (you)', 'Grace Hopper', 'Ann Admin']);
      await page.keyboard.press('Escape');
      await assign('Grace Hopper');
      await takeOver.waitFor();
      assert.equal((await client.get('/api/inbox'))!.body.items[0]!.assigned_to_id, grace.userId);

      await assign('Unassigned');
      await claim.click();
      await findAssignee(page, 'Ada Okafor').waitFor();
      await grace.client.post(`/api/inbox/${id}/assign`, {
        assigned_to_id: 'me',
      });
      await takeOver.waitFor();
      await findAssignee(page, 'Grace Hopper').waitFor();
      await grace.client.post(`/api/inbox/${id}/assign`, {
        assigned_to_id: null,
      });
      await claim.waitFor();
      await openView(page, 'Unassigned');
      await page.locator(`[data-id="${id}"]`).waitFor();
      await openView(page, 'Mine');
      await page.getByText('No conversations match your filters.').waitFor();
      await waitUntilMatches(() => page.url(), /\/inbox\/[^/]+\?owner=mine$/);
    },
  );

  itInSoak(
    'reports a lost network or server at once, reconnects by itself, and loads what it missed',
    async () => {
      const { key, id, ask } = await buildWaiting(parley);
      const first = await parley.startAnother();
      await ask();
      const page = await consoles().openWithKey(first, key, '#/inbox');
      const row = page.locator(`[data-id="${id}"]`);
      await page.getByText('Live', { exact: true }).waitFor();
      await row.waitFor();
      await page.context().setOffline(true);
      await page.getByText('Reconnecting…').waitFor();
      await row.click();
      await page.getByRole('alert').getByText("Can't reach Parley.").waitFor();
      await page.context().setOffline(false);
      await page.getByRole('log').getByText('The visitor asked for a person: It is urgent.').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('alert').first().waitFor({ state: 'detached' });

      await first.stop();
      await page.getByText('Reconnecting…').waitFor();
      await parley.client(key).post(`/api/inbox/${id}/release`);
      await parley.startAnother({ port: Number(new URL(first.baseUrl).port) });
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByText("You're all caught up").waitFor();
    },
  );

  itInSoak('hands over to members with conversations if the API key may not list members', async () => {
    const { id, ask, orgId, client } = await buildWaiting(parley);
    const scopes = ['inbox:write', 'conversations:write'];
    const second = await parley.buildOrg({ orgId, scopes });
    await ask();
    await client.post(`/api/inbox/${id}/claim`);
    const page = await consoles().openWithKey(parley, second.key, `#/inbox/${id}`);
    await findAssignee(page, 'Ada Okafor').click();
    await waitUntilEqual(
      () => page.getByRole('menuitemradio').locator('.mantine-Menu-itemLabel').allInnerTexts(),
      ['Unassigned', 'Ada Okafor'],
    );
  });

  itInSoak('is read-only for viewers', async () => {
    const { id, ask, orgId, client } = await buildWaiting(parley);
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    await ask();
    await client.post(`/api/inbox/${id}/claim`);
    const page = await consoles().openWithKey(parley, viewer.key, `#/inbox/${id}`);
    await page.getByText('You have view-only access.').waitFor();
    await page.getByRole('log').getByText('My bike has a flat tyre.').waitFor();
    const buttons = page.locator('.thread').getByRole('button');
    await waitUntilEqual(
      () => buttons.evaluateAll((all) => all.map((button) => button.ariaLabel as string)),
      ['Actions: conversation', 'Details'],
    );
  });

  itInSoak('filters by assignee, by text, and by the visitor’s presence', async () => {
    const mine = await buildWaiting(parley);
    const others = await Promise.all(
      ['Where is my order?', 'I need an invoice.'].map(async (reason) => {
        const { body } = await parley.client().post(`/api/public/bots/${mine.bot.public_key}/sessions`, {});
        await parley
          .client(body.visitor_token)
          .post(`/api/public/sessions/${body.session_id}/handoff`, { reason });
        return body.session_id as string;
      }),
    );
    const [waiting = '', gone = ''] = others;
    await parley.database.sql(
      "UPDATE conversations SET visitor_seen_at = now() - interval '10 minutes' WHERE id = $1",
      [gone],
    );
    await mine.ask();
    await mine.client.post(`/api/inbox/${mine.id}/claim`);
    const page = await consoles().openWithKey(parley, mine.key, `#/inbox/${mine.id}`);
    const assertShown = async (...ids: string[]) => {
      const rows = page.locator('.inbox-row');
      const listShown = () => rows.evaluateAll((all) => all.map((row) => row.dataset['id'] as string));
      await waitUntil(
        async () => (await listShown()).sort().join() === ids.sort().join(),
        `only ${ids.join()}`,
      );
    };
    await assertShown(mine.id, waiting, gone);
    await page.getByRole('log').getByText('My bike has a flat tyre.').waitFor();
    await takePicture(page, 'console-inbox');
    await openView(page, 'Mine');
    await assertShown(mine.id);
    await openView(page, 'Unassigned');
    await assertShown(waiting, gone);
    await page.getByRole('button', { name: 'Filter inbox' }).click();
    await page.getByRole('menuitemradio', { name: 'Visitor online' }).click();
    await assertShown(waiting);
    await openView(page, 'All');
    await assertShown(mine.id, waiting);
    await page.reload();
    await assertShown(mine.id, waiting);
    await page.getByLabel('Search inbox').fill('FLAT TYRE');
    await assertShown(mine.id);
    await page.getByLabel('Search inbox').fill('nothing of the kind');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await assertShown(mine.id, waiting, gone);
  });

  itInSoak('counts all waiting conversations if it lists only some', async () => {
    const { key, bot, orgId, client, ask } = await buildWaiting(parley);
    await ask();
    const later = await parley.database.sql<{ id: string }>(
      `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, handoff_requested_at, visitor_seen_at)
       SELECT gen_random_uuid(), $1, $2, 'v' || n, gen_random_uuid(), 'waiting_human', now() + n * interval '1 second', now()
       FROM generate_series(1, 400) n RETURNING id`,
      [orgId, bot.id],
    );
    const [claimed, released] = later.slice(-2).map(({ id }) => id);
    const page = await consoles().openWithKey(parley, key, '#/inbox');
    await page.getByText('Showing 300 of 401, longest waiting first').waitFor();
    await client.post(`/api/inbox/${claimed}/claim`);
    await client.post(`/api/inbox/${released}/release`);
    await page.getByText(/ of 400, longest waiting first$/).waitFor();
  });
});
