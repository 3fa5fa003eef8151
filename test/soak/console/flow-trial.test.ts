import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { FlowGraph } from '../../../core/flows/flow-graph.ts';
import { buildGraph, buildNode } from '../../flows/graphs.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { takePicture } from '../../support/pictures.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import { MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';

const colours = [
  { id: 'red', label: 'Red' },
  { id: 'blue', label: 'Blue' },
];
const colour = buildNode('question', {
  text: 'Which colour?',
  input: 'choice',
  options: colours,
  variable: 'colour',
});
const shop = buildNode('http_request', {
  method: 'GET',
  url: 'https://shop.example.com/stock/{{vars.colour}}',
  headers: [{ name: 'Authorization', secret: true, value: 'Bearer top-secret' }],
  save: [{ path: 'left', variable: 'left' }],
});
const told = buildNode('end', { message: 'There are {{vars.left|no}} left.' });
const stock = buildGraph(
  [colour, shop, told],
  'question option:red http_request',
  'question option:blue http_request',
  'http_request end',
);

describe('a flow in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  /** Opens a console with a flow of a new bot. */
  async function openFlow(graph: FlowGraph = stock, options: object = {}) {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
    const saved = { bot_id: bot.id, name: 'Stock', trigger: 'keyword:stock', graph: { ...graph } };
    const { body: flow } = await org.client.post('/api/flows', saved);
    const place = `/bots/${bot.id}/flows/${flow.id}`;
    const page = await consoles().openWithKey(parley, org.key, place, options);
    await page.getByRole('heading', { name: 'Stock', exact: true }).waitFor();
    const url = `/api/flows/${flow.id}` as const;
    return { ...org, bot, page, url, saved };
  }

  it('can be tried before it is saved, with samples, and shows its path', async () => {
    const { page } = await openFlow();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Test settings').click();
    const sample = page.getByRole('group', { name: 'Sample for Request' });
    await sample.getByLabel('Outcome').selectOption('out');
    await sample.getByLabel('Result', { exact: true }).fill('{"left": 3}');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('group', { name: 'Options' }).getByRole('button', { name: 'Blue' }).click();
    const log = page.getByRole('log', { name: 'Trial' });
    await log.getByText('There are 3 left.').waitFor();
    await log.getByText('The flow ended.').waitFor();
    await waitUntilEqual(() => page.locator('.flow-trial dd').allTextContents(), ['Blue', '3']);
    const ways = page.locator('.react-flow__edge.taken');
    await ways.nth(2).waitFor({ state: 'attached' });
    await waitUntilEqual(() => ways.count(), 3);
    await waitUntilEqual(() => page.locator('.flow-step.visited').count(), 4);
    await takePicture(page, 'console-flow');
    await page.getByRole('listitem').filter({ hasText: /^4End/ }).getByRole('button').click();
    await page.getByLabel('Message', { exact: true }).fill('Sorry, {{vars.left}}.');
    await page.getByRole('button', { name: 'Run again with the same answers' }).click();
    await log.getByText('Sorry, 3.').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('{{nothing.here}}');
    await page.getByRole('button', { name: 'Restart' }).click();
    await page
      .getByRole('alert', { name: 'Problems' })
      .getByRole('button', { name: /^end: / })
      .click();
    const field = page.getByRole('textbox', {
      name: 'Message',
      description: /which is not a valid path/,
    });
    await field.and(page.locator(':focus[aria-invalid="true"]')).waitFor();
    await page.locator('.flow-node.faulty').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Bye.');
    await page.locator('.flow-node.faulty').waitFor({ state: 'detached' });
    await waitUntilEqual(() => page.evaluate(`${NAMELESS}.concat(${MISNAMED})`), []);
  });

  it('can be exported without secrets, and imported with errors shown at their steps', async () => {
    const { page, client, bot, url } = await openFlow();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const file = await download;
    const text = readFileSync(await file.path(), 'utf8');
    assert.equal(file.suggestedFilename(), 'stock.json');
    assert.ok(!text.includes('top-secret'));
    const { graph, ...rest } = JSON.parse(text) as { graph: FlowGraph };
    assert.deepEqual(rest, {
      format: 'parley-flow',
      name: 'Stock',
      description: '',
      trigger: 'keyword:stock',
    });
    assert.deepEqual(graph.nodes[2]?.data['headers'], [{ name: 'Authorization', secret: true }]);

    const choose = async (content: string): Promise<void> => {
      await page.getByLabel('Exported flow (JSON)').setInputFiles({
        name: 'flow.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
    };
    await page.getByRole('button', { name: 'Import' }).click();
    await choose('{');
    await page.getByRole('dialog').getByText("This isn't valid JSON").waitFor();
    await choose(' '.repeat(1024 ** 2 + 1));
    await page.getByRole('dialog').getByText('The file is larger than 1 MB.').waitFor();
    const nodes = graph.nodes.with(3, { ...graph.nodes[3]!, data: { message: 5 } });
    await choose(JSON.stringify({ ...graph, nodes }));
    await page.getByRole('dialog').getByText('Node "end": message must').waitFor();
    const only = buildGraph([buildNode('message', { text: 'Hello' })]);
    await choose(JSON.stringify(only));
    await page.getByText('Flow imported, but not saved yet.').waitFor();
    await waitUntilEqual(() => page.locator('.flow-step').count(), 2);
    assert.equal(((await client.get(url)).body.graph as unknown as FlowGraph).nodes.length, 4);
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitUntilEqual(() => page.locator('.flow-step').count(), 4);
    await page.getByRole('link', { name: 'All flows of Help desk' }).click();
    await page.getByRole('button', { name: 'Import' }).click();
    await choose(text);
    await page.locator('.flow-step').nth(3).waitFor();
    const { body: flows } = await client.get(`/api/flows?bot_id=${bot.id as string}`);
    assert.deepEqual(
      flows.map(({ name, trigger }) => [name, trigger]),
      [
        ['Stock', 'keyword:stock'],
        ['Stock', 'keyword:stock'],
      ],
    );
  });

  it('keeps unsaved changes, and overwrites another person’s newer version only after a confirmation', async () => {
    const { page, client, url, saved } = await openFlow();
    await page.getByText('Name and trigger').click();
    await page.getByLabel('Flow name').fill('What is left');
    await page.getByRole('link', { name: 'All flows of' }).click();
    await page.getByRole('link', { name: 'Stock' }).and(page.locator('td a')).click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    const others = { ...buildGraph([buildNode('message', { text: 'Theirs' })]) };
    await client.put(url, { ...saved, graph: others });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Someone else saved this flow after you opened it').waitFor();
    assert.equal((await client.get(url)).body.name, 'Stock');
    await page.getByRole('button', { name: 'Use their version' }).click();
    await page.locator('.flow-step').filter({ hasText: 'Theirs' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await client.put(url, {
      ...saved,
      graph: { ...buildGraph([buildNode('message', { text: 'Newer' })]) },
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Overwrite with my version' }).click();
    await page.getByText('Flow saved').waitFor();
    const { body: flow } = await client.get(url);
    assert.deepEqual([flow.name, flow.revision], ['What is left', 4]);
    await page.reload();
    await page.getByRole('heading', { name: 'What is left' }).waitFor();
    await client.put(url, { ...saved, name: 'Renamed' });
    await page.getByText('Name and trigger').click();
    await page.getByLabel('Flow name').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Use their version' }).click();
    await page.getByRole('heading', { name: 'Renamed' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await client.delete(url);
    await page.getByRole('link', { name: 'All flows of' }).click();
    await page.getByText('No flows yet').waitFor();
    await page.goBack();
    await page.getByText('your unsaved changes are still here').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' });
  });
});
