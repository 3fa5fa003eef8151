import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FlowGraph } from '../../../core/flows/flow-graph.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { buildBot } from '../../console/new-bot.ts';
import { addStep, findBox, drag, drawEdge } from '../../console/flow-drawing.ts';
import { MISNAMED, NAMELESS, useConsoles } from '../../console/support.ts';
import { buildGraph, buildNode } from '../../flows/graphs.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';

const yesOrNo = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

/** Flow that each way of drawing in the console must produce. */
const drawn = {
  nodes: [
    ['start', {}],
    ['question', { text: 'Shall we call you?', input: 'choice', options: yesOrNo }],
    ['end', { message: 'Thank you.' }],
  ],
  edges: ['question option:yes end', 'start out question'],
};

function toGraphShape({ nodes, edges }: FlowGraph) {
  return {
    nodes: nodes.map(({ id, data }) => [id, data]),
    edges: edges.map(({ source, port = 'out', target }) => `${source} ${port} ${target}`).toSorted(),
  };
}

describe('a flow that is drawn in the console', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  /** Opens a console with a flow of a new bot. */
  async function openFlow(graph: FlowGraph = buildGraph([buildNode('start')]), options: object = {}) {
    const built = await buildBot(parley);
    const { client, bot, key } = built;
    const { body: flow } = await client.post('/api/flows', {
      bot_id: bot.id,
      name: 'Calls',
      graph: { ...graph },
    });
    const page = await consoles().openWithKey(parley, key, `#/bots/${bot.id}/flows/${flow.id}`, options);
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    const url = `/api/flows/${flow.id}` as const;
    const readSavedGraph = async () => (await client.get(url)).body.graph as unknown as FlowGraph;
    return { ...built, page, flow, url, readSavedGraph };
  }

  const step = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);
  it('can be drawn with the mouse on the canvas, and steps and lines can be undone', async () => {
    const { page, readSavedGraph } = await openFlow();
    await findBox(page, 'start').waitFor();
    await addStep(page, 'question', 'Question');
    await drag(
      page,
      '.react-flow__node[data-id="question"] .flow-node-head',
      '.react-flow__controls-fitview',
    );
    await page.getByRole('button', { name: 'Auto-layout' }).click();
    await page.getByLabel('Question', { exact: true }).fill('Shall we call you?');
    await page.getByLabel('Answer type').selectOption('choice');
    await addStep(page, 'end', 'End');
    await page.getByLabel('Message', { exact: true }).fill('Thank you.');
    await page.getByRole('button', { name: 'Auto-layout' }).click();
    await page.getByRole('button', { name: 'Fit View' }).click();
    await drawEdge(page, 'start', 'out', 'question');
    await drawEdge(page, 'question', 'option:yes', 'end');
    await drawEdge(page, 'question', 'option:no', 'end');
    await page.locator('.react-flow__edge[data-id="question option:no"]').focus();
    await page.keyboard.press('Enter');
    await page.locator('.react-flow__edge.selected').waitFor();
    await page.locator('.react-flow__node.selected').waitFor({ state: 'detached' });
    await page.keyboard.press('Delete');
    await page.locator('.react-flow__edge').nth(2).waitFor({ state: 'detached' });
    await findBox(page, 'end').click();
    await page.locator('.react-flow__node.selected').waitFor();
    await page.keyboard.press('Delete');
    await findBox(page, 'end').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await findBox(page, 'end').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Flow saved').waitFor();
    const graph = await readSavedGraph();
    assert.deepEqual(toGraphShape(graph), drawn);
    assert.ok(graph.nodes.every(({ position }) => position !== undefined));
    await waitUntilEqual(() => page.evaluate(`${NAMELESS}.concat(${MISNAMED})`), []);
  });

  it('can be drawn with the keyboard alone in the list, with the same result', async () => {
    const { page, readSavedGraph } = await openFlow();
    await page.getByLabel('Add step at the end').focus();
    await page.keyboard.type('Quest');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Question', { exact: true }).focus();
    await page.keyboard.type('Shall we call you?');
    await page.keyboard.press('Tab');
    await page.keyboard.type('One of');
    await page.getByRole('group', { name: 'Option 2' }).waitFor();
    await page.getByLabel('Add step after').focus();
    await page.keyboard.type('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('Message', { exact: true }).focus();
    await page.keyboard.type('Thank you.');
    await step(page, 'start').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Next step').focus();
    await page.keyboard.type('Question');
    await page.locator('.react-flow__edge').nth(1).waitFor({ state: 'attached' });
    await page.getByLabel('Step ID').fill('begin');
    await page.keyboard.press('Enter');
    await step(page, 'begin').waitFor();
    await step(page, 'begin').getByRole('button').first().focus();
    await page.keyboard.press('Control+z');
    await step(page, 'start').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Flow saved').waitFor();
    assert.deepEqual(toGraphShape(await readSavedGraph()), drawn);
  });

  it('keeps typed text verbatim, makes option ids unique, and undoes list changes one by one', async () => {
    const choice = buildNode('question', { text: 'Which?', input: 'choice', options: yesOrNo });
    const count = { variable: 'n', op: 'set', value: 3 };
    const request = {
      ...buildNode('http_request', { method: 'GET', url: 'https://a.example/' }),
      id: 'constructor',
    };
    const full = Array.from({ length: 96 }, (_, at) => ({ ...buildNode('end'), id: `end_${at}` }));
    const nodes = [buildNode('start'), choice, buildNode('set', { assignments: [count] }), request, ...full];
    const { page } = await openFlow(buildGraph(nodes));
    await page.locator('.react-flow__panel').getByText('A flow can have at most 100 steps.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add step', exact: true }).count(), 0);
    await waitUntilEqual(() => page.locator('.flow-step').count(), 100);
    await step(page, 'set').getByRole('button').click();
    const value = page.getByLabel('Value', { exact: true });
    await value.fill('');
    await value.pressSequentially('-5.05');
    await waitUntilEqual(() => value.inputValue(), '-5.05');
    await step(page, 'question').getByRole('button').first().click();
    await page.getByLabel('ID', { exact: true }).last().fill('yes');
    await page.getByText('This ID is already used.').waitFor();
    await page.getByLabel('Label', { exact: true }).first().fill('Certainly');
    await page.getByLabel('Label', { exact: true }).last().fill('Never');
    await page.getByRole('button', { name: 'Remove option 2' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitUntilEqual(() => page.getByLabel('Label', { exact: true }).last().inputValue(), 'Never');
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitUntilEqual(() => page.getByLabel('Label', { exact: true }).first().inputValue(), 'Certainly');
    await page.getByLabel('Step ID').fill('which');
    await page.keyboard.press('Enter');
    await step(page, 'which').locator('.rename input:focus').waitFor();
    await page.getByRole('button', { name: 'Try it', exact: true }).first().click();
    await page.getByText('Test settings').click();
    await waitUntilEqual(() => page.getByLabel('Result', { exact: true }).count(), 0);
  });
});
