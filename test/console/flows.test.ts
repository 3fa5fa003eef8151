import assert from 'node:assert/strict';
import { flowNodeTypes, type FlowGraph } from '../../core/flows/flow-graph.ts';
import { createNodeData, nodeKinds } from '../../console/flows/kinds/node-kinds.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildBot } from './new-bot.ts';
import { goToPlace, MISNAMED, NAMELESS, useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const greeting = buildGraph([buildNode('message', { text: 'Hello' }), buildNode('end')], 'message end');
/** Browser script that returns true if an element is wider than the page. */
const OVERFLOW = `document.scrollingElement.scrollWidth > innerWidth || document.querySelector('main').scrollWidth > document.querySelector('main').clientWidth`;

describe('flows in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  async function buildFlowBot() {
    const org = await buildBot(parley);
    const { bot } = org;
    const place = `bots/${bot.id as string}/flows`;
    const buildFlow = async (name: string, graph: FlowGraph, trigger: string | null = null) => {
      const flow = { bot_id: bot.id, name, trigger, graph: { ...graph } };
      const { body } = await org.client.post('/api/flows', flow);
      return { ...body, url: `/api/flows/${body.id}` as const, place: `${place}/${body.id}` };
    };
    return { ...org, place, buildFlow };
  }

  it('are created from a template, activated, and deleted while inactive', async () => {
    const { key, place, client, bot } = await buildFlowBot();
    const page = await consoles().openWithKey(parley, key, `#/${place}`);
    await page.getByText('No flows yet').waitFor();
    await page.getByRole('button', { name: 'Create flow' }).click();
    await page.getByLabel('Flow name').fill('Call me');
    await page.getByLabel('Template').selectOption('Collect contact details');
    await page.getByRole('dialog').getByRole('button', { name: 'Create flow' }).click();
    await page.getByRole('heading', { name: 'Call me' }).waitFor();
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByText('Flow is live').waitFor();
    await goToPlace(page, place);
    const row = page.locator('tr[data-id]');
    await row.getByText('When a visitor says “contact me” or “call me back”').waitFor();
    await waitUntilEqual(() => row.locator('.status').textContent(), 'Live');
    const remove = async (): Promise<void> => {
      await row.getByRole('button', { name: 'Actions: Call me' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await page.getByRole('dialog').getByText('The flow is active; deactivate it first.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('link', { name: 'Call me' }).click();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('Flow deactivated').waitFor();
    await goToPlace(page, place);
    await remove();
    await page.getByText('No flows yet').waitFor();
    assert.deepEqual((await client.get(`/api/flows?bot_id=${bot.id as string}`)).body, []);
  });

  itInSoak(
    'show at each step what prevents activation, and which other flow has the same trigger',
    async () => {
      const { key, buildFlow, client } = await buildFlowBot();
      const other = await buildFlow('Greeting', greeting, 'first_message');
      await client.post(`${other.url}/activate`);
      const incomplete = buildGraph(
        [buildNode('message', { text: '' }), buildNode('handoff')],
        'message handoff',
      );
      const flow = await buildFlow('Help', incomplete, 'first_message');
      const page = await consoles().openWithKey(parley, key, `#/${flow.place}`);
      await page.getByRole('button', { name: 'Activate', exact: true }).click();
      const problems = page.getByRole('alert', { name: 'Problems' });
      await problems.getByText('Fix 2 problems first').waitFor();
      await problems.getByText('Turn on “Allow handoff to a human”').waitFor();
      await problems.getByRole('button', { name: 'message: ' }).click();
      const text = page.getByRole('textbox', { name: 'Text', description: /must not be empty/ });
      await text.and(page.locator(':focus')).waitFor();
      await text.fill('One moment.');
      await page.locator('[data-node="handoff"] button').click();
      await page.getByRole('button', { name: 'Delete step' }).click();
      await problems.waitFor({ state: 'detached' });
      await client.patch(`/api/bots/${flow.bot_id}`, { handoff_enabled: true });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Save and activate' }).click();
      await page.getByText('The active flow "Greeting" of the bot has the same trigger.').waitFor();
      await client.post(`${other.url}/deactivate`);
      await page.getByRole('button', { name: 'Activate', exact: true }).click();
      await page.getByText('Flow is live').waitFor();
    },
  );

  itInSoak('have secret headers that can be kept, replaced and removed, and are never shown', async () => {
    const { key, buildFlow, client } = await buildFlowBot();
    const headers = [{ name: 'Authorization', secret: true, value: 'Bearer top-secret' }];
    const request = buildNode('http_request', { method: 'GET', url: 'https://shop.example.com/', headers });
    const flow = await buildFlow('Shop', buildGraph([request]));
    const page = await consoles().openWithKey(parley, key, `#/${flow.place}`);
    const header = async () => {
      const graph = (await client.get(flow.url)).body.graph as unknown as FlowGraph;
      return (graph.nodes[1]!.data['headers'] as object[])[0];
    };
    const save = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Flow saved').last().waitFor();
      await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' });
    };
    await page.locator('[data-node="http_request"] button').click();
    await page.getByText('Value: stored, never shown').waitFor();
    await page.getByLabel('Method').selectOption('POST');
    await save();
    assert.deepEqual(await header(), { name: 'Authorization', secret: true, has_value: true });
    await page.getByRole('button', { name: 'Remove secret' }).click();
    await page.getByRole('button', { name: 'Keep secret' }).click();
    await page.getByRole('button', { name: 'Replace secret' }).click();
    await page.getByLabel('Value', { exact: true }).fill('Bearer other');
    await save();
    await page.getByText('Value: stored, never shown').waitFor();
    await page.getByRole('button', { name: 'Remove secret' }).click();
    await save();
    assert.deepEqual(await header(), { name: 'Authorization', secret: true, has_value: false });
    assert.ok(!(await page.content()).includes('top-secret'));
  });

  itInSoak('are read-only for viewers', async () => {
    const { buildFlow, orgId } = await buildFlowBot();
    const flow = await buildFlow('Greeting', greeting);
    const viewer = await parley.buildOrg({ orgId, role: 'viewer' });
    const page = await consoles().openWithKey(parley, viewer.key, `#/${flow.place}`);
    await page.getByText('You have view-only access.').waitFor();
    await page.locator('.flow-node').nth(1).waitFor();
    await page.locator('[data-node="message"] button').click();
    await waitUntilEqual(() => page.getByLabel('Text', { exact: true }).isDisabled(), true);
    const offered = ['Save', 'Undo', 'Try it', 'Add', 'Add step', 'Auto-layout', 'Import', 'Activate'];
    for (const name of offered)
      await waitUntilEqual(() => page.getByRole('button', { name, exact: true }).count(), 0, name);
    await page.getByRole('button', { name: 'Export' }).waitFor();
  });

  itInSoak(
    'have a form for each type of step that fits on a phone, where list, canvas and test are stacked',
    async () => {
      const { key, buildFlow } = await buildFlowBot();
      const types = flowNodeTypes.filter((type) => type !== 'start');
      const nodes = types.map((type) =>
        buildNode(type, type === 'jump' ? { node: 'end' } : createNodeData(type)),
      );
      const flow = await buildFlow('All', buildGraph(nodes, 'message question'));
      const options = { viewport: { width: 360, height: 740 } };
      const page = await consoles().openWithKey(parley, key, `#/${flow.place}`, options);
      for (const type of types) {
        await page.locator(`[data-node="${type}"] > h3 > button`).click();
        await page.getByText(nodeKinds[type].description).waitFor();
        await waitUntilEqual(() => page.evaluate(OVERFLOW), false, type);
        await waitUntilEqual(() => page.evaluate(`${NAMELESS}.concat(${MISNAMED})`), [], type);
      }
      const views = page.getByRole('group', { name: 'View' });
      await views.getByRole('button', { name: 'Canvas' }).click();
      await page.locator('.flow-node').first().waitFor();
      await waitUntilEqual(() => page.getByRole('list', { name: 'Steps' }).isVisible(), false);
      await views.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
      await waitUntilEqual(() => page.evaluate(OVERFLOW), false);
    },
  );
});
