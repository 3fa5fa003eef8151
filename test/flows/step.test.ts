import assert from 'node:assert/strict';
import { runBounds, type FlowGraph } from '../../core/flows/flow-graph.ts';
import type { DirectoryPlace, FlowEvent } from '../../core/flows/node-type.ts';
import {
  createState,
  startTurn,
  step,
  GraphIndex,
  type FlowState,
  type Step,
} from '../../core/flows/step.ts';
import { listGraphErrors } from '../../core/flows/validate-graph.ts';
import { buildGraph, buildNode } from './graphs.ts';

const ENTERED: FlowEvent = { kind: 'entered' };
const said = (text: string, optionId?: string): FlowEvent => ({ kind: 'said', text, optionId });
const places = [
  { name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example.com/r' },
  { name: 'Dr. Chen', category: 'Uptown', link: 'javascript:alert(1)' },
  { name: 'Dr. Diaz', category: 'Harbour' },
];

/** Runs a flow's graph until it waits for an event, which `sendEvent` then sends. */
function startRun(
  graph: FlowGraph,
  variables: Record<string, unknown> = {},
  directory: readonly DirectoryPlace[] = places,
) {
  assert.deepEqual(listGraphErrors(graph), []);
  const graphIndex = new GraphIndex(graph);
  const about = { visitor: { name: 'Ada' }, bot: { name: 'Help' }, directory };
  let state: FlowState = createState(graphIndex, variables);
  const texts: string[] = [];
  let last: Step;
  const sendEvent = (event: FlowEvent): Step => {
    if (event.kind === 'said') state = startTurn(state, event.text);
    last = step(graphIndex, state, event, about);
    for (;;) {
      texts.push(...last.texts);
      state = last.state;
      if (last.next.kind !== 'step') return last;
      last = step(graphIndex, state, ENTERED, about);
    }
  };
  return {
    sendEvent,
    texts,
    first: sendEvent(ENTERED),
    variables: () => state.variables,
    state: () => state,
  };
}

describe('a step of a flow', () => {
  it('sends texts on the way, with values, and ends if there is no next step', () => {
    const { first, texts } = startRun(
      buildGraph(
        [buildNode('message', { text: 'Hi {{visitor.name}}' }), buildNode('end', { message: 'Bye' })],
        'message end',
      ),
    );
    assert.deepEqual(texts, ['Hi Ada', 'Bye']);
    assert.equal(first.next.kind, 'completed');
    assert.equal(startRun(buildGraph([buildNode('message', { text: 'x' })])).first.next.kind, 'completed');
  });

  const yes = { id: 'yes', label: 'Yes, please' };
  const options = [yes, { id: 'two', label: '1' }, { id: 'no', label: 'Ｎo' }];
  const ends = ['yes', 'two', 'no', 'other', 'bad'].map((id) => buildNode('end', { message: id }, id));
  const choosing = (data: object) =>
    buildGraph(
      [
        buildNode('question', { text: 'Sure?', input: 'choice', options, variable: 'sure', ...data }, 'ask'),
        ...ends,
      ],
      ...['yes', 'two', 'no'].map((id) => `ask option:${id} ${id}`),
      'ask other',
      'ask invalid bad',
    );

  for (const [event, end, kept] of [
    [said('whatever', 'yes'), 'yes', 'Yes, please'],
    [said('yes, PLEASE'), 'yes', 'Yes, please'],
    [said('no'), 'no', 'Ｎo'],
    [said('3.'), 'no', 'Ｎo'],
    [said('1'), 'two', '1'],
  ] as const)
    it(`accepts an option by id, label or number: ${JSON.stringify(event)}`, () => {
      const { first, sendEvent, texts, variables } = startRun(choosing({}));
      assert.deepEqual(first.next, {
        kind: 'wait',
        input: { node_id: 'ask', kind: 'choice', options },
      });
      assert.equal(sendEvent(event).next.kind, 'completed');
      assert.deepEqual([texts.at(-1), variables()], [end, { sure: kept }]);
    });

  it('asks again up to max_retries, and then takes the `invalid` port', () => {
    const { sendEvent, texts } = startRun(
      choosing({ on_other: 'retry', retry_text: 'Pardon?', max_retries: 1 }),
    );
    assert.equal(sendEvent(said('maybe')).next.kind, 'wait');
    assert.equal(sendEvent(said('', 'gone')).next.kind, 'completed');
    assert.deepEqual(texts, ['Sure?', 'Pardon?', 'Sure?', 'bad']);
  });

  it('accepts free text if it is allowed', () => {
    const { sendEvent, texts, variables } = startRun(choosing({ on_other: 'accept' }));
    sendEvent(said(' perhaps '));
    assert.deepEqual([texts.at(-1), variables()], ['other', { sure: 'perhaps' }]);
  });

  it('requests an answer from the documents if the visitor asks a question, and asks again without counting the try', () => {
    const { sendEvent, texts } = startRun(choosing({ max_retries: 0 }));
    for (const question of ['Where are you?', 'And when?']) {
      const { next } = sendEvent(said(question));
      assert.deepEqual(next, { kind: 'perform', effect: { kind: 'answer', query: question, tags: [] } });
      assert.equal(sendEvent({ kind: 'done', port: 'out', body: 'In Porto.' }).next.kind, 'wait');
    }
    assert.deepEqual(texts, ['Sure?', 'In Porto.', 'Sure?', 'In Porto.', 'Sure?']);
    sendEvent(said('Hm'));
    sendEvent({ kind: 'done', port: 'not_found' });
    assert.equal(texts.at(-1), 'bad');
  });

  it('takes the `timeout` port if a question times out', () => {
    const graph = buildGraph(
      [
        buildNode('question', { text: 'Sure?', input: 'text', timeout_minutes: 5 }, 'ask'),
        buildNode('end', { message: 'late' }),
      ],
      'ask timeout end',
    );
    const { sendEvent, texts } = startRun(graph);
    sendEvent({ kind: 'timed_out' });
    assert.equal(texts.at(-1), 'late');
  });

  for (const [input, bounds, typed, kept] of [
    ['email', {}, ' ada@example.com ', 'ada@example.com'],
    ['email', {}, 'ada@example', null],
    ['phone', {}, '+351 21 000 000', '+351 21 000 000'],
    ['phone', {}, '123', null],
    ['number', {}, '2,5', 2.5],
    ['number', { min: 1, max: 3 }, '4', null],
    ['number', { min: 1, max: 3 }, '1', 1],
    ['number', {}, '1e9', null],
    ['date', {}, '2024-2-29', '2024-02-29'],
    ['date', {}, '29.2.2024', '2024-02-29'],
    ['date', {}, '2023-02-29', null],
    ['date', {}, 'tomorrow', null],
    ['text', { min: 2, max: 3 }, '🚲🚲', '🚲🚲'],
    ['text', { min: 2, max: 3 }, 'a', null],
    ['text', { min: 2, max: 3 }, 'abcd', null],
  ] as const)
    it(`parses ${JSON.stringify(typed)} for ${input} ${JSON.stringify(bounds)} as ${JSON.stringify(kept)}`, () => {
      const data = { text: '?', input, variable: 'v', on_other: 'retry', ...bounds };
      const { sendEvent, variables } = startRun(buildGraph([buildNode('question', data)]));
      const { next } = sendEvent(said(typed));
      assert.deepEqual([next.kind, variables()], kept === null ? ['wait', {}] : ['completed', { v: kept }]);
    });

  it('takes the port of the first case whose rules match, all or any of them', () => {
    const rules = [
      { path: 'vars.city', operator: 'equals', value: '{{vars.home}}' },
      { path: 'vars.age', operator: 'gte', value: 18 },
    ];
    const graph = buildGraph(
      [
        buildNode('condition', {
          cases: [
            { id: 'a', match: 'all', rules },
            { id: 'b', match: 'any', rules },
          ],
        }),
        ...['both', 'one', 'none'].map((id) => buildNode('end', { message: id }, id)),
      ],
      'condition case:a both',
      'condition case:b one',
      'condition else none',
    );
    const outcome = (variables: object) => startRun(graph, { home: 'Porto', ...variables }).texts;
    assert.deepEqual(outcome({ city: 'porto', age: '18' }), ['both']);
    assert.deepEqual(outcome({ age: 20 }), ['one']);
    assert.deepEqual(outcome({ city: 'Rome' }), ['none']);
  });

  it('sets, adds, appends and clears variables in order', () => {
    const assignments = [
      { variable: 'n', op: 'add', value: 2 },
      { variable: 'n', op: 'add', value: '{{vars.n}}' },
      { variable: 'text', op: 'set', value: 'n is {{vars.n}}' },
      { variable: 'list', op: 'append', value: 'b' },
      { variable: 'gone', op: 'clear' },
      { variable: 'constructor', op: 'set', value: '{{vars.braces}}' },
    ];
    const { variables } = startRun(buildGraph([buildNode('set', { assignments })]), {
      n: '1',
      list: 'a',
      gone: 1,
      braces: '{{vars.n}}',
    });
    assert.deepEqual(variables(), {
      n: 6,
      text: 'n is 6',
      list: ['a', 'b'],
      braces: '{{vars.n}}',
      constructor: '{{vars.n}}',
    });
  });

  it('requests that variables are stored in the contact if to_contact is true', () => {
    const assignments = [{ variable: 'n', op: 'set', value: 2 }];
    const { first, sendEvent } = startRun(buildGraph([buildNode('set', { assignments, to_contact: true })]));
    assert.deepEqual(first.next, {
      kind: 'perform',
      effect: { kind: 'keep_contact', fields: { n: '2' } },
    });
    assert.equal(sendEvent({ kind: 'done', port: 'out' }).next.kind, 'completed');
  });

  it('resolves an entry of the directory by category and name, and returns only safe links', () => {
    const graph = buildGraph([buildNode('directory', { text: 'Where?' })]);
    const { first, sendEvent, texts } = startRun(graph);
    const labels = ({ next }: Step) =>
      next.kind === 'wait' ? next.input.options.map(({ label }) => label) : [];
    assert.deepEqual(labels(first), ['Uptown', 'Harbour']);
    assert.deepEqual(labels(sendEvent(said('uptown'))), ['Dr. Rivera', 'Dr. Chen']);
    assert.equal(sendEvent(said('dr. rivera', '0')).port, 'resolved');
    assert.deepEqual(texts, ['Where?', '[Dr. Rivera](https://book.example.com/r)']);
    const chen = startRun(graph);
    chen.sendEvent(said('Uptown', '0'));
    chen.sendEvent(said('dr. chen'));
    assert.equal(chen.texts.at(-1), 'Dr. Chen');
    assert.equal(startRun(graph).sendEvent(said('Nowhere')).port, 'not_found');
    assert.equal(startRun(graph, {}, []).first.port, 'not_found');
  });

  it('offers an entry without a category next to the categories', () => {
    const mixed = [{ name: 'Dr. Chen', category: 'Uptown' }, { name: 'By phone' }];
    const { first, sendEvent } = startRun(
      buildGraph([buildNode('directory', { text: 'Where?' })]),
      {},
      mixed,
    );
    assert.ok(first.next.kind === 'wait');
    assert.deepEqual(
      first.next.input.options.map(({ label }) => label),
      ['Uptown', 'By phone'],
    );
    assert.equal(sendEvent(said('By phone', '1')).port, 'resolved');
  });

  it('requests an HTTP call with filled-in values, and stores its response', () => {
    const data = {
      method: 'POST',
      url: 'https://api.example.com/{{vars.order}}',
      headers: [{ name: 'X-Name', value: '{{visitor.name}}' }],
      body: '{"o": "{{vars.order}}"}',
      save: [
        { path: 'state.name', variable: 'state' },
        { path: 'constructor.name', variable: 'evil' },
      ],
    };
    const graph = buildGraph(
      [
        buildNode('http_request', data),
        buildNode('message', { text: '{{http.body.state.name}} {{http.ok}}' }),
      ],
      'http_request message',
    );
    const { first, sendEvent, texts, variables } = startRun(graph, { order: 'a/1"' });
    assert.deepEqual(first.next, {
      kind: 'perform',
      effect: {
        kind: 'request',
        request: {
          method: 'POST',
          url: 'https://api.example.com/a%2F1%22',
          headers: [{ name: 'X-Name', value: 'Ada' }],
          body: '{"o": "a/1\\""}',
          timeoutMs: 5000,
        },
      },
    });
    sendEvent({ kind: 'done', port: 'out', body: { state: { name: 'sent' } } });
    assert.deepEqual([texts, variables()], [['sent true'], { order: 'a/1"', state: 'sent' }]);
    const astray = startRun(graph, { order: '..' });
    assert.deepEqual([astray.first.next.kind, astray.first.port], ['completed', 'error']);
  });

  it('hands over, or takes the `unavailable` port if no member is available', () => {
    const graph = buildGraph(
      [
        buildNode('handoff', { reason: 'Refund {{vars.n}}', message: 'Wait' }),
        buildNode('end', { message: 'Sorry' }),
      ],
      'handoff unavailable end',
    );
    const { first, sendEvent, texts } = startRun(graph, { n: 1 });
    assert.deepEqual(first.next, { kind: 'perform', effect: { kind: 'hand_over', reason: 'Refund 1' } });
    assert.equal(sendEvent({ kind: 'done', port: 'out' }).next.kind, 'handed_over');
    assert.deepEqual(texts, ['Wait']);
    const nobody = startRun(graph);
    assert.equal(nobody.sendEvent({ kind: 'done', port: 'unavailable' }).next.kind, 'completed');
    assert.deepEqual(nobody.texts, ['Sorry']);
  });

  it('fails with too_many_steps after 50 steps in a turn', () => {
    const { first, state } = startRun(
      buildGraph(
        [buildNode('message', { text: 'x' }), buildNode('jump', { node: 'message' })],
        'message jump',
      ),
    );
    assert.deepEqual(first.next.kind === 'failed' && first.next.error.code, 'too_many_steps');
    assert.equal(first.isTaken, false);
    assert.equal(state().turn.steps, runBounds.stepsOfTurn);
  });

  it('fails with too_many_steps after 500 steps in all turns', () => {
    const asking = buildGraph(
      [buildNode('question', { text: '?', input: 'text' }), buildNode('jump', { node: 'question' })],
      'question jump',
    );
    const { sendEvent } = startRun(asking);
    let last = sendEvent(said('a'));
    let turns = 1;
    for (; last.next.kind === 'wait'; turns += 1) last = sendEvent(said('a'));
    assert.equal(last.next.kind === 'failed' && last.next.error.code, 'too_many_steps');
    assert.equal(turns, 250);
  });

  it('fails with too_many_requests at the sixth request in a turn', () => {
    const graph = buildGraph(
      [
        buildNode('http_request', { method: 'GET', url: 'https://a.example/' }),
        buildNode('jump', { node: 'http_request' }),
      ],
      'http_request jump',
    );
    const { sendEvent } = startRun(graph);
    for (let sent = 1; sent < runBounds.requestsOfTurn; sent += 1)
      assert.equal(sendEvent({ kind: 'done', port: 'out' }).next.kind, 'perform');
    const { next } = sendEvent({ kind: 'done', port: 'out' });
    assert.equal(next.kind === 'failed' && next.error.code, 'too_many_requests');
  });

  it('jumps to other flows five times, but not a sixth time', () => {
    const graphIndex = new GraphIndex(
      buildGraph([buildNode('jump', { flow_id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b' })]),
    );
    const at = (jumpsToFlows: number) =>
      step(graphIndex, { ...createState(graphIndex), nodeId: 'jump', jumpsToFlows }, ENTERED, {
        directory: [],
      }).next.kind;
    assert.deepEqual([at(4), at(5)], ['change_flow', 'failed']);
  });

  it('stores fifty variables of 4,000 characters, and no more', () => {
    const setting = (variable: string, value: string) =>
      buildGraph([buildNode('set', { assignments: [{ variable, op: 'set', value }] })]);
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`v${at}`, 1]));
    const readCode = ({ next }: Step) => (next.kind === 'failed' ? next.error.code : next.kind);
    assert.equal(readCode(startRun(setting('v1', 'x'.repeat(4000)), fifty).first), 'completed');
    assert.equal(readCode(startRun(setting('w', 'x'), fifty).first), 'too_many_variables');
    const doubled = startRun(setting('w', '{{vars.long}}x'), { long: 'x'.repeat(4000) }).first;
    assert.equal(readCode(doubled), 'variable_too_long');
  });
});
