import assert from 'node:assert/strict';
import { flowNodeTypes, type FlowGraph } from '../../core/flows/flow-graph.ts';
import { listGraphErrors, listRunErrors } from '../../core/flows/validate-graph.ts';
import { nodeTypes } from '../../core/flows/node-types.ts';
import type { RequiredFeature } from '../../core/flows/node-type.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const FLOW = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const yes = { id: 'yes', label: 'Yes' };
const choice = { text: 'Sure?', input: 'choice', options: [yes, { id: 'no', label: 'No' }] };
const rule = { path: 'vars.city', operator: 'equals', value: 'Porto' };
const request = { method: 'GET', url: 'https://api.example.com/{{vars.order}}' };
const end = buildNode('end');

function listErrors(graph: unknown): string[] {
  return listGraphErrors(graph).map(({ field, message }) => `${field}: ${message}`);
}

/** Lists the errors in the data of a flow's node of this type. */
function listNodeErrors(type: (typeof flowNodeTypes)[number], data: Record<string, unknown>): string[] {
  return listErrors(buildGraph([buildNode(type, data, 'it')])).map((text) =>
    text.replace('graph.nodes[1].data', '…'),
  );
}

describe('nodeTypes', () => {
  it('has each of the fourteen types of flow nodes under its own name', () => {
    assert.equal(flowNodeTypes.length, 14);
    for (const type of flowNodeTypes) assert.equal(nodeTypes[type].type, type);
  });
});

describe('saved graphs', () => {
  for (const [what, template] of [
    ['paths', '{{a}}'.repeat(390)],
    ['placeholders without a path', '{{}}'.repeat(480)],
  ] as const)
    itInSoak(`are refused in at most 50 ms if 99 templates have unknown ${what}`, () => {
      const nodes = Array.from({ length: 99 }, (_, at) => buildNode('message', { text: template }, `n${at}`));
      const graph = buildGraph(nodes);
      assert.equal(listGraphErrors(graph).length, 101);
      assertCpuBelow(50, () => listGraphErrors(graph));
    });

  it('accept a start without any other nodes', () =>
    assert.deepEqual(listErrors(buildGraph([buildNode('start')])), []));

  for (const [what, graph, faults] of [
    ['nothing', {}, ['graph.version: is required', 'graph.nodes: is required', 'graph.edges: is required']],
    ['another version', { version: 2, nodes: [buildNode('start')], edges: [] }, ['graph.version: must be 1']],
    ['no start', { version: 1, nodes: [end], edges: [] }, ['graph.nodes: must have a start node']],
    [
      'two starts',
      { version: 1, nodes: [buildNode('start', {}, 'a'), buildNode('start', {}, 'b')], edges: [] },
      [
        'graph.nodes[0].type: Node "a": there must be exactly one start, but there are 2',
        'graph.nodes[1].type: Node "b": there must be exactly one start, but there are 2',
      ],
    ],
    ['an id twice', buildGraph([end, end]), ['graph.nodes[2].id: Node "end": its id must not occur twice']],
    [
      'an unknown kind',
      { version: 1, nodes: [{ ...end, type: 'constructor' }], edges: [] },
      [`graph.nodes[0].type: must be one of ${flowNodeTypes.map((type) => `"${type}"`).join(', ')}`],
    ],
    [
      'an edge from an unknown node',
      buildGraph([end], 'gone end'),
      ['graph.edges[1].source: There is no node "gone"'],
    ],
    [
      'a dangling edge',
      buildGraph([buildNode('message', { text: '' })], 'message gone'),
      ['graph.edges[1].target: Node "message": leads to "gone", which does not exist'],
    ],
    [
      'an edge to the start',
      buildGraph([end], 'end start'),
      ['graph.edges[1].target: Node "end": must not lead to the start'],
    ],
    [
      'an edge from an unknown port',
      buildGraph([buildNode('question', choice), end], 'question option:maybe end'),
      ['graph.edges[1].port: Node "question": has no port "option:maybe"'],
    ],
    [
      'two edges of a port',
      buildGraph([end], 'start out end'),
      ['graph.edges[1].port: Node "start": port "out" leads to two nodes'],
    ],
    [
      'an unknown key',
      { ...buildGraph([end]), zoom: 1 },
      ['graph.zoom: is not a known field (known fields: version, nodes, edges)'],
    ],
    [
      'an id with invalid characters',
      buildGraph([buildNode('end', {}, 'a b')]),
      ['graph.nodes[1].id: must look like "ask"', 'graph.edges[0].target: must look like "ask"'],
    ],
  ] as [string, object, string[]][])
    it(`are refused with ${what}`, () => assert.deepEqual(listErrors(graph), faults));

  for (const [type, data, faults] of [
    ['message', {}, ['….text: Node "it": text is required']],
    ['message', { text: 'x'.repeat(4001) }, ['….text: Node "it": text must have at most 4000 characters']],
    ['message', { text: '{{name}}' }, ['….text: Node "it": text uses {{name}}, which is not a valid path']],
    [
      'question',
      { text: '', input: 'color' },
      ['….input: Node "it": input must be one of "choice", "text", "email", "phone", "number", "date"'],
    ],
    [
      'question',
      { text: '', input: 'choice' },
      ['….options: Node "it": options must have at least one item for a choice'],
    ],
    [
      'question',
      { text: '', input: 'text', options: [yes] },
      ['….options: Node "it": options are only allowed for a choice'],
    ],
    [
      'question',
      { text: '', input: 'choice', options: [yes, yes] },
      ['….options[1].id: Node "it": options[1].id must not occur twice'],
    ],
    [
      'question',
      { text: '', input: 'number', min: 2, max: 1 },
      ['….max: Node "it": max must not be less than min'],
    ],
    ['question', { text: '', input: 'number', min: -Infinity }, ['….min: Node "it": min must be a number']],
    [
      'question',
      { text: '', input: 'text', variable: '__proto__' },
      ['….variable: Node "it": variable must look like "city"'],
    ],
    [
      'question',
      { text: '', input: 'text', max_retries: 6, timeout_minutes: 0 },
      [
        '….max_retries: Node "it": max_retries must be at most 5',
        '….timeout_minutes: Node "it": timeout_minutes must be at least 1',
      ],
    ],
    [
      'condition',
      { cases: [{ id: 'a', match: 'all', rules: [{ ...rule, operator: 'matches' }] }] },
      [
        `….cases[0].rules[0].operator: Node "it": cases[0].rules[0].operator must be one of "equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with", "in", "not_in", "gt", "gte", "lt", "lte", "is_set", "is_empty", "is_true"`,
      ],
    ],
    [
      'condition',
      { cases: [{ id: 'a', match: 'all', rules: [{ ...rule, path: 'vars.a.b.c.d' }] }] },
      ['….cases[0].rules[0].path: Node "it": cases[0].rules[0].path must look like "vars.city"'],
    ],
    [
      'condition',
      { cases: [{ id: 'a', match: 'any', rules: [{ path: 'vars.a', operator: 'gt' }] }] },
      ['….cases[0].rules[0].value: Node "it": cases[0].rules[0].value is required for gt'],
    ],
    [
      'condition',
      { cases: [{ id: 'a', match: 'any', rules: [{ ...rule, operator: 'is_set' }] }] },
      ['….cases[0].rules[0].value: Node "it": cases[0].rules[0].value is not allowed for is_set'],
    ],
    [
      'set',
      {
        assignments: [
          { variable: 'a', op: 'set' },
          { variable: 'b', op: 'clear', value: 1 },
        ],
      },
      [
        '….assignments[0].value: Node "it": assignments[0].value is required for set',
        '….assignments[1].value: Node "it": assignments[1].value is not allowed for clear',
      ],
    ],
    ['jump', {}, ['….node: Node "it": node or flow_id is required, but not both']],
    ['jump', { node: 'a', flow_id: FLOW }, ['….node: Node "it": node or flow_id is required, but not both']],
    [
      'http_request',
      { ...request, url: 'https://{{vars.host}}/x' },
      ['….url: Node "it": url must look like "https://api.example.com/orders/{{vars.order}}"'],
    ],
    [
      'http_request',
      { ...request, url: 'https://a.example{{vars.port}}/x' },
      ['….url: Node "it": url must look like "https://api.example.com/orders/{{vars.order}}"'],
    ],
    [
      'http_request',
      { ...request, url: 'https://me:secret@a.example/' },
      ['….url: Node "it": url must look like "https://api.example.com/orders/{{vars.order}}"'],
    ],
    [
      'http_request',
      { ...request, headers: [{ name: 'Host', value: 'b' }] },
      ['….headers[0].name: Node "it": headers[0].name is set by the HTTP client'],
    ],
    [
      'http_request',
      { ...request, headers: [{ name: 'A', sealed: 'v1.x' }] },
      [
        '….headers[0].sealed: Node "it": headers[0].sealed is not a known field (known fields: name, value, secret, has_value)',
      ],
    ],
    [
      'http_request',
      { ...request, method: 'POST', body: '{"a": {{vars.a}}' },
      ['….body: Node "it": body must be JSON'],
    ],
    ['http_request', { ...request, body: '{}' }, ['….body: Node "it": body is not allowed for GET']],
    [
      'http_request',
      { ...request, timeout_ms: 10_001 },
      ['….timeout_ms: Node "it": timeout_ms must be at most 10000'],
    ],
  ] as [(typeof flowNodeTypes)[number], Record<string, unknown>, string[]][])
    it(`are refused with the node and the field of an error in a ${type}: ${faults[0]!.slice(0, 60)}`, () =>
      assert.deepEqual(listNodeErrors(type, data), faults));

  it('are accepted at their maximum size, and refused above it', () => {
    const full = (count: number) =>
      buildGraph(Array.from({ length: count }, (_, at) => buildNode('message', { text: 'x' }, `n${at}`)));
    assert.deepEqual(listErrors(full(99)), []);
    assert.deepEqual(listErrors(full(100)), ['graph.nodes: must have at most 100 items']);
    const large = buildGraph(
      Array.from({ length: 99 }, (_, at) => buildNode('message', { text: 'ä'.repeat(1500) }, `n${at}`)),
    );
    assert.deepEqual(listErrors(large), ['graph: must have at most 200 KB as JSON']);
  });

  it('are refused with at most 101 errors', () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`k${at}`, 0]));
    assert.equal(listErrors(buildGraph([buildNode('end', data)])).length, 101);
  });

  it('accept nodes whose ids are names from Object.prototype', () => {
    const graph = buildGraph([buildNode('message', { text: 'x' }, '__proto__')], '__proto__ constructor');
    assert.deepEqual(listErrors(graph), [
      'graph.edges[1].target: Node "__proto__": leads to "constructor", which does not exist',
    ]);
  });
});

describe('runnable graphs', () => {
  const everything = new Set<RequiredFeature>(['handoff', 'lead_form', 'directory', 'calendar']);

  function listGaps(
    graph: FlowGraph,
    enabledFeatures: ReadonlySet<RequiredFeature> = everything,
    flowIds = new Set<string>(),
  ) {
    assert.deepEqual(listErrors(graph), []);
    return listRunErrors(graph, { enabledFeatures, flowIds }).map(
      ({ field, message }) => `${field}: ${message}`,
    );
  }

  it('send a message, and have an edge from each port', () => {
    const whole = buildGraph(
      [buildNode('question', choice, 'ask'), buildNode('message', { text: 'Good' }, 'good'), end],
      'ask option:yes good',
      'ask option:no end',
      'good end',
    );
    assert.deepEqual(listGaps(whole), []);
    const empty = buildGraph([buildNode('message', { text: ' ' }, 'ask')]);
    assert.deepEqual(listGaps(empty), [
      'graph.nodes[1].data.text: Node "ask": text must not be empty',
      'graph.nodes[1].data: Node "ask": port "out" is not connected',
    ]);
  });

  it('accept an option without its own edge if the question has an edge without a port', () => {
    const graph = buildGraph([buildNode('question', choice, 'ask'), end], 'ask option:yes end');
    assert.deepEqual(listGaps(graph), ['graph.nodes[1].data: Node "ask": port "option:no" is not connected']);
    const covered = buildGraph([buildNode('question', choice, 'ask'), end], 'ask option:yes end', 'ask end');
    assert.deepEqual(listGaps(covered), []);
  });

  it('have no unreachable step; jumps make their targets reachable', () => {
    assert.deepEqual(listGaps(buildGraph([end, buildNode('end', {}, 'lost')])), [
      'graph.nodes[2].data: Node "lost": cannot be reached from the start',
    ]);
    assert.deepEqual(listGaps(buildGraph([buildNode('jump', { node: 'end' }), end])), []);
  });

  it('jump to existing steps and flows', () => {
    assert.deepEqual(listGaps(buildGraph([buildNode('jump', { node: 'gone' })])), [
      'graph.nodes[1].data.node: Node "jump": node is "gone", which does not exist',
    ]);
    const elsewhere = buildGraph([buildNode('jump', { flow_id: FLOW })]);
    assert.deepEqual(listGaps(elsewhere), [
      'graph.nodes[1].data.flow_id: Node "jump": flow_id is not a flow of this bot',
    ]);
    assert.deepEqual(listGaps(elsewhere, everything, new Set([FLOW])), []);
  });

  for (const [type, ports, need, message] of [
    ['handoff', [], 'handoff', 'needs handoff_enabled'],
    ['lead_form', ['submitted', 'refused'], 'lead_form', 'needs lead_capture_config with enabled: true'],
    ['directory', ['resolved', 'not_found'], 'directory', 'needs directory_config with enabled: true'],
    ['booking', ['booked', 'none', 'unavailable'], 'calendar', 'needs a calendar, which is not connected'],
  ] as const)
    it(`require ${need} for a ${type}`, () => {
      const whole = buildGraph(
        ports.length > 0 ? [buildNode(type), end] : [buildNode(type)],
        ...ports.map((port) => `${type} ${port} end`),
      );
      const others = new Set([...everything].filter((each) => each !== need));
      assert.deepEqual(listGaps(whole), []);
      assert.deepEqual(listGaps(whole, others), [`graph.nodes[1].data: Node "${type}": ${message}`]);
    });
});
