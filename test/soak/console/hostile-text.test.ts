import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { Message } from '../../../entities/conversations/message.entity.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { buildSession } from '../../support/widget.ts';
import { useConsoles } from '../../console/support.ts';

const MARKUP = '<img src=x onerror="window.wasRun = true"><script>window.wasRun = true</script>';
const LINKS = [
  'javascript:window.wasRun=true',
  'https://example.com/help?a=1&b=2.',
  '[click](javascript:window.wasRun=true)',
  'data:text/html,<script>1</script>',
  'mailto:help@example.com',
].join(' ');

describe('hostile text in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('stays text in messages, names, reasons, page URLs and custom fields', async () => {
    const session = await buildSession(parley, {
      name: MARKUP.slice(0, 200),
      handoff_enabled: true,
      lead_capture_config: { enabled: true, fields: ['name', 'note'].map((key) => ({ key, label: key })) },
    });
    const { visitor, path, key, client } = session;
    await visitor.post(`${path}/messages`, { content: MARKUP });
    await visitor.post(`${path}/messages`, { content: LINKS });
    const lead = await visitor.post(`${path}/lead`, { fields: { name: MARKUP, note: MARKUP } });
    assert.equal(lead.status, 200);
    await visitor.post(`${path}/handoff`, { reason: MARKUP });
    const id = session.session.session_id as string;
    await parley.database.sql(
      "UPDATE conversations SET page_url = 'javascript:window.wasRun=true' WHERE id = $1",
      [id],
    );
    assert.equal(
      (await client.get(`/api/conversations/${id}`)).body.page_url,
      'javascript:window.wasRun=true',
    );

    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    await page.getByRole('log').getByText(MARKUP).first().waitFor();
    const links = await page
      .locator('main a[target]')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]));
    assert.deepEqual(links, [
      ['https://example.com/help?a=1&b=2', 'noopener noreferrer'],
      ['mailto:help@example.com', 'noopener noreferrer'],
    ]);
    await waitUntilEqual(() => page.locator('main img, main script').count(), 0);
    for (const place of ['conversations', 'bots', `bots/${session.bot.id}`]) {
      await page.goto(`${parley.baseUrl}/console#/${place}`);
      await page.locator('main').getByText('<img src=x').filter({ visible: true }).first().waitFor();
    }
    await waitUntilEqual(() => page.evaluate("'wasRun' in window"), false);
    await assert.rejects(page.evaluate(`document.body.innerHTML = '<b>text</b>'`), /TrustedHTML/);
    consoles().errors.length = 0;
  });

  it('is named if it is an unknown parameter of the URL, even a name that every object inherits', async () => {
    const { key } = await parley.buildOrg();
    const page = await consoles().openWithKey(parley, key, '#/conversations?constructor=a&__proto__=b');
    const problem = page.locator('main').getByRole('alert');
    await problem.getByText('constructor is not a known field').first().waitFor();
    const items = problem.getByRole('listitem');
    const texts = (await items.allTextContents()).map((text) => text.replace(/ \(known fields: .*\)$/, ''));
    assert.deepEqual(texts.toSorted(), [
      '__proto__ is not a known field',
      'constructor is not a known field',
    ]);
    consoles().errors.length = 0;
  });

  it('stays text in citations: only web pages are links, and clicks on other sources do nothing', async () => {
    const { visitor, path, key, session } = await buildSession(parley);
    await visitor.post(`${path}/messages`, { content: 'Prices?' });
    const id = session.session_id as string;
    const scripts = [
      'javascript:window.wasRun=true',
      ' java\tscript:window.wasRun=true',
      'data:text/html,x',
      'vbscript:x',
    ];
    const citations = [...scripts, 'https://example.com/prices'].map((source_url, at) => ({
      index: at + 1,
      document_id: newId(),
      chunk_id: newId(),
      title: MARKUP,
      source_url,
      quote: MARKUP,
    }));
    const content = citations.map(({ index }) => `See [${index}].`).join(' ');
    await parley.database
      .repository(Message)
      .update({ conversationId: id, role: 'assistant' }, { content, citations });

    const page = await consoles().openWithKey(parley, key, `#/conversations/${id}`);
    const sources = page.locator('.citations');
    await sources.getByText(MARKUP).first().waitFor();
    const quotes = page.locator('.citation-quotes');
    const hrefs = () =>
      quotes.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    for (const [at, citation] of (await sources.locator('.citation').all()).entries()) {
      await citation.click();
      await quotes.getByText(MARKUP).waitFor();
      const script = scripts[at];
      if (script !== undefined) await quotes.getByText(script.trim().slice(-12)).click();
      assert.deepEqual(await hrefs(), script === undefined ? ['https://example.com/prices'] : []);
      await citation.click();
      await quotes.waitFor({ state: 'detached' });
    }
    for (const mark of await page.locator('[role=log] sup').all())
      if ((await mark.locator('a').count()) === 0) await mark.click();
    await waitUntilEqual(() => page.locator('main img, main script').count(), 0);
    await waitUntilEqual(() => page.evaluate("'wasRun' in window"), false);
    assert.equal(page.url(), `${parley.baseUrl}/console/conversations/${id}`);
    consoles().errors.length = 0;
  });
});
