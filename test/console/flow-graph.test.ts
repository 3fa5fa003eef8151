import assert from 'node:assert/strict';
import { flowNodeTypes, type FlowGraph } from '../../core/flows/flow-graph.ts';
import { nodeTypes } from '../../core/flows/node-types.ts';
import { listGraphErrors } from '../../core/flows/validate-graph.ts';
import {
  addNode,
  addNodeAfter,
  connectPort,
  deleteNodes,
  disconnectPort,
  moveNode,
  placeNodes,
  renameNode,
  setNodeData,
} from '../../console/flows/graph/edit-graph.ts';
import { startHistory, recordChange, redo, undo } from '../../console/flows/graph/history.ts';
import { sortInWalkOrder, layOutSteps, findPositions } from '../../console/flows/graph/layout.ts';
import { toFaults, filterCurrentFaults } from '../../console/flows/graph/problems.ts';
import { templates } from '../../console/flows/graph/templates.ts';
import { splitTrigger, buildTrigger, describeTrigger } from '../../console/flows/graph/trigger-words.ts';
import { createNodeData, nodeKinds, listPorts } from '../../console/flows/kinds/node-kinds.ts';
import { tidyData, type Field } from '../../console/flows/kinds/fields.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];
const ask = buildNode('question', { text: 'Really?', input: 'choice', options }, 'ask');

const listEdges = ({ edges }: FlowGraph) =>
  edges.map(({ source, port = 'out', target }) => `${source} ${port} ${target}`);
const listNodeIds = ({ nodes }: FlowGraph) => nodes.map(({ id }) => id);

describe('an edited flow graph', () => {
  it('gets steps with unique ids, which can be saved at once', () => {
    let graph = buildGraph([buildNode('start')]);
    for (const type of flowNodeTypes.filter((each) => each !== 'start')) ({ graph } = addNode(graph, type));
    const { graph: twice, id } = addNode(graph, 'message', { x: 10, y: 20 });
    assert.equal(id, 'message_2');
    assert.deepEqual(twice.nodes.at(-1)?.position, { x: 10, y: 20 });
    // Remove the jump, because it needs a target flow, which has not been chosen yet.
    const others = deleteNodes(twice, ['jump']);
    assert.deepEqual(listGraphErrors(others), []);
  });

  it('gets a step between another step and the target of that step', () => {
    const graph = buildGraph([buildNode('message', { text: 'a' }), buildNode('end')], 'message end');
    const added = addNodeAfter(graph, 'message', 'set');
    assert.deepEqual(listNodeIds(added.graph), ['start', 'message', 'set', 'end']);
    assert.deepEqual(listEdges(added.graph), ['start out message', 'message out set', 'set out end']);
    const open = addNodeAfter(buildGraph([ask, buildNode('end')], 'ask option:yes end'), 'ask', 'message');
    assert.deepEqual(listEdges(open.graph), ['start out ask', 'ask option:yes end', 'ask option:no message']);
  });

  it('has one line from each port, and no line to the start', () => {
    const graph = buildGraph([ask, buildNode('end')], 'ask option:yes end');
    const again = connectPort(graph, { source: 'ask', port: 'option:yes', target: 'ask' });
    assert.deepEqual(listEdges(again), ['start out ask', 'ask option:yes ask']);
    assert.equal(connectPort(graph, { source: 'ask', port: 'out', target: 'start' }), graph);
    assert.deepEqual(listEdges(disconnectPort(again, 'ask', 'option:yes')), ['start out ask']);
  });

  it('loses a step with its lines, but never the start', () => {
    const graph = buildGraph([ask, buildNode('end')], 'ask option:yes end');
    assert.deepEqual(listEdges(deleteNodes(graph, ['ask'])), []);
    assert.deepEqual(listNodeIds(deleteNodes(graph, ['start', 'end'])), ['start', 'ask']);
  });

  it('has a renamed id everywhere, without the secrets stored under the old id', () => {
    const headers = [{ name: 'X-Key', secret: true, has_value: true }];
    const request = buildNode('http_request', { method: 'GET', url: 'https://a.example/', headers }, 'shop');
    const graph = buildGraph([request, buildNode('jump', { node: 'shop' })], 'shop jump');
    const renamed = renameNode(graph, 'shop', 'store');
    assert.deepEqual(listEdges(renamed), ['start out store', 'store out jump']);
    assert.deepEqual(renamed.nodes.at(-1)?.data, { node: 'store' });
    assert.deepEqual(renamed.nodes[1]?.data['headers'], [{ name: 'X-Key', secret: true }]);
    assert.equal(renameNode(graph, 'shop', 'jump'), graph);
  });

  it('keeps lines of options whose ids change, and drops lines of deleted options', () => {
    const graph = buildGraph([ask, buildNode('end')], 'ask option:yes end', 'ask option:no ask');
    const named = options.with(0, { id: 'sure', label: 'Sure' });
    const renamed = setNodeData(graph, 'ask', { ...ask.data, options: named });
    assert.deepEqual(listEdges(renamed), ['start out ask', 'ask option:sure end', 'ask option:no ask']);
    const fewer = setNodeData(renamed, 'ask', { ...ask.data, options: [named[0]] });
    assert.deepEqual(listEdges(fewer), ['start out ask', 'ask option:sure end']);
    const turned = setNodeData(graph, 'ask', { ...ask.data, options: options.toReversed() });
    assert.deepEqual(listEdges(turned), listEdges(graph));
  });

  it('is laid out in columns beginning with the start, and keeps the positions of steps that a person has moved', () => {
    const graph = buildGraph([ask, buildNode('end'), buildNode('message')], 'ask option:yes end');
    const places = layOutSteps(graph);
    const columns = listNodeIds(graph).map((id) => places.get(id)!.x / 310);
    assert.deepEqual(columns, [0, 1, 2, 3]);
    // The layout places a step without incoming lines to the right of all other steps, whatever its outgoing
    // lines.
    const loose = connectPort(graph, { source: 'message', target: 'ask' });
    assert.deepEqual(
      listNodeIds(loose).map((id) => layOutSteps(loose).get(id)!.x / 310),
      [0, 1, 2, 3],
    );
    const ring = connectPort(loose, { source: 'ask', port: 'option:no', target: 'ask' });
    assert.equal(layOutSteps(ring).size, 4);
    const placed = placeNodes(graph, new Map([['ask', { x: 5, y: 6 }]]));
    assert.deepEqual(findPositions(placed).get('ask'), { x: 5, y: 6 });
    assert.ok(findPositions(placed).get('end')!.y > 6);
    assert.deepEqual(listNodeIds(sortInWalkOrder(moveNode(graph, 'end', -1))), [
      'start',
      'ask',
      'end',
      'message',
    ]);
  });

  it('can be undone and redone, with all typing in one field as one change', () => {
    let history = startHistory('');
    for (const text of ['a', 'ab', 'abc']) history = recordChange(history, text, 'name');
    history = recordChange(history, 'abc!', 'other');
    assert.deepEqual([undo(history).present, undo(undo(history)).present], ['abc', '']);
    assert.equal(redo(undo(history)).present, 'abc!');
    const other = recordChange(undo(history), 'x');
    assert.equal(redo(other), other);
    assert.equal(undo(startHistory('a')).present, 'a');
  });

  it('shows errors at their step and field until the step or field changes', () => {
    const graph = buildGraph([ask, buildNode('end')], 'ask option:yes end');
    const details = [
      {
        field: 'graph.nodes[1].data.options[0].label',
        message: 'Node "ask": options[0].label must not be blank',
      },
      { field: 'graph.edges[1].port', message: 'Node "ask": has no port "x"' },
      { field: 'graph.nodes', message: 'must have a start node' },
      { field: 'name', message: 'must not be blank' },
    ];
    const faults = toFaults(details, graph);
    assert.deepEqual(faults, [
      { nodeId: 'ask', path: 'options[0].label', message: 'Options[0].label must not be blank.' },
      { nodeId: 'ask', path: '', message: 'Has no port "x".' },
      { nodeId: null, path: '', message: 'Must have a start node.' },
    ]);
    const findings = { graph, faults };
    assert.equal(filterCurrentFaults(findings, setNodeData(graph, 'end', { message: 'Bye' })).length, 3);
    assert.deepEqual(filterCurrentFaults(findings, setNodeData(graph, 'ask', { ...ask.data, text: 'So?' })), [
      faults[2],
    ]);
  });

  it('has no errors if it was created from a template', () => {
    for (const { make } of templates) assert.deepEqual(listGraphErrors(make('A flow').graph), []);
  });
});

describe('triggers of flows:', () => {
  it('describeTrigger explains each trigger, and buildTrigger restores a trigger that splitTrigger has split', () => {
    assert.equal(
      describeTrigger('keyword:refund, money back'),
      'When a visitor says “refund” or “money back”',
    );
    assert.equal(describeTrigger('page:/pricing*'), 'When the first message is sent from /pricing*');
    assert.equal(describeTrigger(null), 'When another flow jumps to this one');
    for (const text of ['keyword:refund, money back', 'page:https://a.example/*', 'no_answer', '']) {
      const { kind, rest } = splitTrigger(text);
      assert.equal(buildTrigger(kind, rest), text);
    }
  });
});

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
  items?: ObjectSchema;
}

describe('step forms', () => {
  /** Fields of a flow's steps that other inputs of the console set, not the step's form. */
  const setByOtherInputs: Record<string, string[]> = { jump: ['flow_id'], headers: ['secret', 'has_value'] };

  function assertSame(fields: readonly Field[], { properties = {} }: ObjectSchema, name: string): void {
    const names = [...fields.map((field) => field.name), ...(setByOtherInputs[name] ?? [])];
    assert.deepEqual(names.toSorted(), Object.keys(properties).toSorted(), name);
    for (const field of fields)
      if (field.kind === 'list') assertSame(field.items, properties[field.name]!.items!, field.name);
  }

  it('have a field for each property of a step, and the ports that the server gives to the step', () => {
    for (const type of flowNodeTypes) {
      assertSame(nodeKinds[type].fields, nodeTypes[type].schema as ObjectSchema, type);
      const data = createNodeData(type);
      const ports = listPorts({ type, data }).map(({ id }) => id);
      assert.deepEqual(ports, nodeTypes[type].ports(data as never), type);
    }
  });

  it('drop the values of hidden fields', () => {
    const { fields } = nodeKinds.question;
    const data = tidyData(fields, { ...ask.data, timeout_minutes: 5 });
    assert.deepEqual(
      listPorts({ type: 'question', data }).map(({ id }) => id),
      ['option:yes', 'option:no', 'out', 'invalid', 'timeout'],
    );
    assert.deepEqual(tidyData(fields, { ...data, input: 'email', min: 3 }), {
      text: 'Really?',
      input: 'email',
      timeout_minutes: 5,
    });
    const rule = { path: 'vars.a', operator: 'is_set', value: '1' };
    const cases = [{ id: 'a', match: 'all', rules: [rule] }];
    assert.deepEqual(tidyData(nodeKinds.condition.fields, { cases }), {
      cases: [{ id: 'a', match: 'all', rules: [{ path: 'vars.a', operator: 'is_set' }] }],
    });
  });
});
