import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { Bot } from '../../../entities/bots/bot.entity.ts';
import { Message } from '../../../entities/conversations/message.entity.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilSaid, type WidgetPage } from '../../support/widget-page.ts';
import { useWidgetScene } from '../../support/widget-scene.ts';
import { buildActiveBot } from '../../support/widget.ts';
import { waitUntil, waitUntilEqual, waitUntilMatches } from '../../support/wait-until.ts';
import { startParleyWithWorker } from '../../support/worker.ts';
import type { ApiClient } from '../../support/api-client.ts';

const MARKUP = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
const LINKS =
  '[one](javascript:window.hit=1) [two](data:text/html,hit) [three](https://example.com/a) <a href="javascript:window.hit=1">four</a>';

describe('the widget with sources and hostile texts', () => {
  const scene = useWidgetScene(startParleyWithWorker);

  const hasScriptRun = (visit: WidgetPage) => visit.page.evaluate("'hit' in window");
  const listLinks = (visit: WidgetPage) =>
    visit.panel.locator('a').evaluateAll((all) => all.map((each) => each.getAttribute('href')));

  /** Adds a document and waits until it is indexed. */
  async function addIndexedDocument(
    org: { bot: { id: string }; client: ApiClient },
    document: object,
  ): Promise<void> {
    const path = `/api/bots/${org.bot.id}/knowledge` as const;
    const { body, status } = await org.client.post(path, document);
    assert.equal(status, 201, JSON.stringify(body));
    await waitUntilIndexed(org, body.id);
  }

  async function waitUntilIndexed(
    org: { bot: { id: string }; client: ApiClient },
    id: string,
  ): Promise<void> {
    const path = `/api/bots/${org.bot.id}/knowledge/${id}/status` as const;
    await waitUntil(
      async () => (await org.client.get(path)).body.status === 'indexed',
      'the document to be indexed',
    );
  }

  it('shows the sources of an answer as links, both next to the text and in it', async () => {
    const url = scene.site.add({
      html: '<title>Prices</title><main><h1>Prices</h1><p>A day pass costs 12 euros in every harbour of the city.</p></main>',
    });
    const org = await buildActiveBot(scene.parley, { name: 'Harbour Bikes' });
    await addIndexedDocument(org, { source_type: 'url', url });
    await addIndexedDocument(org, {
      source_type: 'raw_text',
      title: `Handbook ${MARKUP}`,
      raw_text: 'A day pass can be bought at every harbour, for 12 euros.',
    });
    scene.answer = 'A day pass costs **12 euros** [1], at every harbour [2]. Not a source: [9]';
    const visit = await scene.visits.visit(org.bot);
    await visit.open();
    await visit.say('What does a day pass cost?');
    await visit.panel.locator('.sources li').nth(1).waitFor();
    const items = await visit.panel.locator('.sources button').allTextContents();
    assert.deepEqual(items.map((item) => item.replace(/^\d\. /, '')).sort(), [
      `Handbook ${MARKUP}`,
      'Prices',
    ]);
    await visit.panel.getByRole('listitem').getByText('Prices').click();
    const link = visit.panel.locator('.sheet a');
    await waitUntilEqual(() => link.getAttribute('href'), url);
    await waitUntilEqual(() => link.getAttribute('target'), '_blank');
    await waitUntilEqual(() => link.getAttribute('rel'), 'noopener noreferrer');
    const inText = visit.panel.getByRole('link', { name: /^\d, source: Prices$/ });
    await waitUntilEqual(() => inText.getAttribute('href'), url);
    await waitUntilEqual(() => visit.panel.locator('sup').count(), 2);
    await waitUntilEqual(() => hasScriptRun(visit), false);
    await visit.page.reload();
    await visit.panel.locator('.sources li').nth(1).waitFor();
  });

  it('shows the last source’s quote above the text box, even in a full panel', async () => {
    const org = await buildActiveBot(scene.parley);
    await addIndexedDocument(org, {
      source_type: 'raw_text',
      title: 'Notes',
      raw_text: 'A day pass is blue.',
    });
    scene.answer = 'Blue [1].';
    const visit = await scene.visits.visit(org.bot, { viewport: { width: 360, height: 560 } });
    await visit.open();
    const sources = visit.panel.locator('.sources button');
    for (const nth of [0, 1, 2]) {
      await visit.say(`Which color is the day pass?${'\nTell me.'.repeat(4)}`);
      await sources.nth(nth).waitFor();
    }
    await sources.last().click();
    const quote = visit.panel.locator('.sheet blockquote').last();
    const readBottom = async (it: typeof quote) => await it.boundingBox().then((box) => box!.y + box!.height);
    const bar = (await visit.panel.locator('.composer').boundingBox())!;
    await waitUntil(async () => (await readBottom(quote)) <= bar.y, 'the quote above the bar');
    await waitUntilEqual(() => quote.innerText(), 'A day pass is blue.');
  });

  it('numbers sources by appearance, each page once, and opens the quotes of an uploaded file', async () => {
    const org = await buildActiveBot(scene.parley, { name: 'Harbour Bikes' });
    const path = `/api/bots/${org.bot.id}/knowledge` as const;
    const form = new FormData();
    const handbook = ['prices', 'refunds', 'rules']
      .map((what) => `# Day pass ${what}\n\nThe day pass ${what} are the same at every harbour of the city.`)
      .join('\n\n');
    form.set('file', new File([handbook], 'handbook.md', { type: 'text/markdown' }));
    const uploaded = await org.client.fetch(`${path}/upload`, { method: 'POST', body: form });
    assert.equal(uploaded.status, 201);
    const file = (await uploaded.json()) as { id: string };
    await waitUntilIndexed(org, file.id);
    await addIndexedDocument(org, {
      source_type: 'raw_text',
      title: 'Notes',
      raw_text: 'A day pass is blue.',
    });
    scene.answer =
      'It is good at every harbour [4], for the same price [2]. You know it by its color [3], and the rules are on it [1].';
    const visit = await scene.visits.visit(org.bot, { viewport: { width: 390, height: 700 } });
    await visit.open();
    await visit.say('What should I know about the day pass?');
    await visit.panel.locator('.sources li').nth(1).waitFor();
    const [conversation] = (await org.client.get('/api/conversations')).body.items;
    const { body: messages } = await org.client.get(`/api/conversations/${conversation!.id}/messages`);
    const { citations } = messages.find(({ role }) => role === 'assistant')!;
    const titles = [4, 2, 3, 1].map((index) => citations?.find((each) => each.index === index)?.title);
    const inOrder = [...new Set(titles)];
    assert.deepEqual(inOrder.toSorted(), ['Notes', 'Day pass prices'].toSorted());
    await waitUntilEqual(
      () => visit.panel.locator('sup').allTextContents(),
      titles.map((title) => String(inOrder.indexOf(title) + 1)),
    );
    await waitUntilEqual(
      () => visit.panel.locator('.sources button').allTextContents(),
      inOrder.map((title, at) => `${at + 1}. ${title}`),
    );
    const quotes = visit.panel.locator('.sheet blockquote');
    await waitUntilEqual(() => quotes.count(), 0);
    await visit
      .button(`${inOrder.indexOf('Day pass prices') + 1}, source: Day pass prices`)
      .first()
      .click();
    await quotes.nth(2).waitFor();
    await waitUntilMatches(
      async () => (await quotes.allTextContents()).join(' '),
      /are the same at every harbour of the city/,
    );
    await visit.panel.getByText(/^\d\. Notes$/).click();
    await visit.waitForText('A day pass is blue.');
    await takePicture(visit.page, 'widget-sources');
    assert.deepEqual(visit.errors, []);
  });

  it('shows markup from the model, the team, visitors and the owner as text, links only safe URLs, and sends no control characters', async () => {
    const text = `${MARKUP} ${LINKS}`;
    scene.answer = (question) => `You said: ${question}`;
    const { bot, client } = await buildActiveBot(scene.parley, {
      name: MARKUP,
      welcome_message: text,
      starter_questions: [MARKUP],
      handoff_enabled: true,
      lead_capture_config: {
        enabled: true,
        title: MARKUP,
        intro: MARKUP,
        fields: [{ key: 'name', label: MARKUP, placeholder: MARKUP }],
      },
      widget_theme: { primary_color: 'red;}*{display:none}', avatar_url: 'javascript:window.hit=1' },
    });
    const entries = [{ name: MARKUP, link: 'data:,x' }];
    const directoryConfig = { enabled: true, choice_label: MARKUP.slice(0, 60), entries };
    // Write the link to the database, because the API refuses such a link.
    await scene.parley.database.repository(Bot).update(bot.id, { directoryConfig });
    const visit = await scene.visits.visit(bot);
    await visit.open();
    await visit.say('a\u0007b\u001b[31mc\u0000d\te');
    const said = ['user: ab[31mcd\te', 'assistant: You said: ab[31mcd\te'];
    await waitUntilSaid(visit, said);
    scene.answer = text;
    await visit.say(text);
    const shown = `${MARKUP} one two three <a href="javascript:window.hit=1">four</a>`;
    said.push(`user: ${text}`, `assistant: ${shown}`);
    await waitUntilSaid(visit, said);
    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team…');
    const { id } = (await client.get('/api/conversations')).body.items[0]!;
    await client.post(`/api/inbox/${id}/reply`, { content: text });
    await waitUntilSaid(visit, [...said, `agent: ${shown}`]);
    await visit.choose('Share contact details');
    await visit.page.waitForTimeout(200);
    const safe = 'https://example.com/a';
    await waitUntilEqual(() => listLinks(visit), [safe, safe, safe]);
    await waitUntilEqual(
      () => visit.page.locator('parley-widget').locator('script, img, iframe, style').count(),
      0,
    );
    await waitUntilEqual(() => hasScriptRun(visit), false);
    await waitUntilEqual(() => visit.launcher.isVisible(), true);
  });

  it('links only citations of web pages, and runs no script of other citations', async () => {
    const org = await buildActiveBot(scene.parley);
    const visit = await scene.visits.visit(org.bot);
    await visit.open();
    await visit.say('Prices?');
    await waitUntilSaid(visit, ['user: Prices?', 'assistant: A day pass costs 12 euros.']);
    const urls = [
      'javascript:window.hit=1',
      ' java\tscript:window.hit=1',
      'data:text/html,x',
      'vbscript:x',
      'https://example.com/a',
    ];
    const citations = urls.map((source_url, at) => ({
      index: at + 1,
      document_id: newId(),
      chunk_id: newId(),
      title: MARKUP,
      source_url,
      quote: `${MARKUP} ${LINKS}`,
    }));
    const content = citations.map(({ index }) => `See [${index}].`).join(' ');
    await scene.parley.database
      .repository(Message)
      .update({ orgId: org.orgId, role: 'assistant' }, { content, citations });
    await visit.page.reload();
    const sources = visit.panel.locator('.sources button');
    await sources.nth(4).waitFor();
    for (const [at, source] of (await sources.all()).entries()) {
      await source.click();
      await waitUntilEqual(() => visit.panel.locator('.sheet a').count(), at === 4 ? 1 : 0);
      await visit.panel.locator('.sheet').getByRole('button', { name: 'Close' }).click();
    }
    for (const mark of await visit.panel.locator('sup button').all()) await mark.click();
    await waitUntilEqual(() => listLinks(visit), ['https://example.com/a']);
    await waitUntilEqual(
      () => visit.page.locator('parley-widget').locator('script, img, iframe, style').count(),
      0,
    );
    await waitUntilEqual(() => hasScriptRun(visit), false);
  });
});
