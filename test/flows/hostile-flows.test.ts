import assert from 'node:assert/strict';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { operatorNames } from '../../core/flows/operators.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildGraph, buildNode } from './graphs.ts';
import { buildFlowBot } from './flow-visits.ts';
import { openShop, type Shop } from './shop.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Longest time in milliseconds that a visitor's message may block the event loop. */
const MAX_HELD_MS = 50;

const LIGATURES = '\u{fdfa}'.repeat(20_000);
const MARKS = `a${'\u0301'.repeat(9999)}${'\u0334'.repeat(10_000)}`;

/** A JSON list of 120,000 numbers, 240 KB long. */
const MANY_ITEMS = `[${'1,'.repeat(119_999)}1]`;

interface Attack {
  graph: FlowGraph;
  message?: string;
  trigger?: string;
  reply?: string;
  overrides?: object;
}

type Drawn = Parameters<typeof buildNode>;

/** Builds a flow's graph of the steps in sequence. Each exit of a step leads to the next step. */
function buildChain(steps: Drawn[]): FlowGraph {
  const named = steps.map(([type, data], at) => buildNode(type, data, `n${at}`));
  const last = buildNode('end', { message: 'Done.' });
  const edges = named.flatMap(({ id, type }, at) => {
    const next = named[at + 1]?.id ?? last.id;
    const ports = { condition: ['else', ...Array.from({ length: 10 }, (_, index) => `case:c${index}`)] };
    const own = type === 'condition' ? ports.condition : type === 'http_request' ? ['out', 'error'] : ['out'];
    return own.map((port) => `${id} ${port} ${next}`);
  });
  return buildGraph([...named, last], ...edges);
}

/** Builds the data of a condition step with ten cases of ten rules each, of which only the last one matches. */
function buildHundredRules(rule: (at: number) => object, match = 'any'): Drawn {
  const cases = Array.from({ length: 10 }, (_, at) => ({
    id: `c${at}`,
    match,
    rules: Array.from({ length: 10 }, (_rule, index) => rule(at * 10 + index)),
  }));
  return ['condition', { cases }];
}

describe('a hostile flow', () => {
  let parley: SharedParley;
  let shop: Shop;
  let reply = '';
  before(async () => {
    parley = await startSharedParley();
    shop = await openShop((_request, response) => void response.end(reply));
  });
  after(async () => {
    await shop.close();
  });

  const request = (data: object = {}): Drawn => [
    'http_request',
    { method: 'GET', url: `${shop.origin}/`, ...data },
  ];
  const times = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));

  const attacks: Record<string, () => Attack> = {
    'rules about 120,000 items': () => ({
      graph: buildChain([
        request(),
        ...times(5, () =>
          buildHundredRules(() => ({ path: 'http.body', operator: 'contains', value: 'zebra' })),
        ),
      ]),
      reply: MANY_ITEMS,
    }),
    ...Object.fromEntries(
      (['is_empty', 'not_contains'] as const).map((operator) => [
        `rules with ${operator} about a reply of 10,000 keys`,
        (): Attack => ({
          graph: buildChain([
            request(),
            ...times(5, () =>
              buildHundredRules(() => ({
                path: 'http.body',
                operator,
                ...(operator !== 'is_empty' && { value: '{{http.body}}' }),
              })),
            ),
          ]),
          reply: `{${times(10_000, (at) => `"k${(at * 7919) % 10_007}":1`).join()}}`,
        }),
      ]),
    ),
    'rules about a message of ligatures': () => ({
      graph: buildChain(
        times(10, () =>
          buildHundredRules((at) => ({ path: 'last_message', operator: 'contains', value: `zebra ${at}` })),
        ),
      ),
      message: LIGATURES,
    }),
    'rules about a message of marks': () => ({
      graph: buildChain(
        times(10, () =>
          buildHundredRules(() => ({ path: 'last_message', operator: 'equals', value: 'zebra' })),
        ),
      ),
      message: MARKS,
    }),
    'rules whose values are templates': () => ({
      graph: buildChain([
        request(),
        ...times(2, () =>
          buildHundredRules(() => ({
            path: 'last_message',
            operator: 'contains',
            value: '{{http.body}}'.repeat(60),
          })),
        ),
      ]),
      message: LIGATURES,
      reply: MANY_ITEMS,
    }),
    'rules whose values are ligatures': () => ({
      graph: buildChain(
        times(1, () =>
          buildHundredRules((at) => ({
            path: 'last_message',
            operator: 'contains',
            value: `${at} ${'\u{fdfa}'.repeat(490)}`,
          })),
        ),
      ),
      message: LIGATURES,
    }),
    'rules whose values are almost in the message': () => ({
      graph: buildChain(
        times(3, () =>
          buildHundredRules(() => ({
            path: 'last_message',
            operator: 'contains',
            value: `b${'a'.repeat(450)}`,
          })),
        ),
      ),
      message: 'a'.repeat(20_000),
    }),
    'rules of each operator about many texts': () => ({
      graph: buildChain([
        request(),
        ...times(5, () =>
          buildHundredRules((at) => {
            const operator = operatorNames[at % operatorNames.length]!;
            const isAlone = ['is_set', 'is_empty', 'is_true'].includes(operator);
            return {
              path: at % 2 ? 'http.body.a' : 'http.body',
              operator,
              ...(!isAlone && { value: '{{http.body.a}}' }),
            };
          }, 'all'),
        ),
      ]),
      reply: JSON.stringify({ a: times(20_000, (at) => `é${at}`) }),
    }),
    'a set with one value twenty times': () => ({
      graph: buildChain([
        request(),
        ...times(5, (): Drawn => [
          'set',
          {
            assignments: times(20, (at) => ({
              variable: `v${at}`,
              op: 'set',
              value: '{{http.body}}'.repeat(20),
            })),
          },
        ]),
      ]),
      reply: MANY_ITEMS,
    }),
    'a message of 120,000 items': () => ({
      graph: buildChain([request(), ['message', { text: '{{http.body}}' }]]),
      reply: MANY_ITEMS,
    }),
    'messages of marks of Markdown': () => ({
      graph: buildChain([
        request(),
        ...times(40, (): Drawn => ['message', { text: '{{http.body}} {{http.body}}' }]),
      ]),
      reply: JSON.stringify('*'.repeat(240_000)),
    }),
    'a deeply nested response': () => ({
      graph: buildChain([request(), ['message', { text: '{{http.body}} {{http.body.0}}' }]]),
      reply: '['.repeat(100_000) + ']'.repeat(100_000),
    }),
    'a less deeply nested response': () => ({
      graph: buildChain([request(), ['message', { text: '{{http.body}} {{http.body.0}}' }]]),
      reply: '['.repeat(3000) + ']'.repeat(3000),
    }),
    'a response with escapes': () => ({
      graph: buildChain([request(), ['message', { text: '{{http.body}}' }]]),
      reply: `["\\u0000",${MANY_ITEMS.slice(1)}`,
    }),
    'a response that is stored twenty times': () => ({
      graph: buildChain([request({ save: times(20, (at) => ({ path: 'a', variable: `v${at}` })) })]),
      reply: `{"a":${MANY_ITEMS}}`,
    }),
    'a request with the response of another one': () => ({
      graph: buildChain(
        times(2, () =>
          request({
            method: 'POST',
            url: `${shop.origin}/?${'{{http.body}}'.repeat(140)}`,
            headers: times(20, (at) => ({ name: `X-${at}`, value: '{{http.body}}'.repeat(100) })),
            body: `[${times(1400, () => '{{http.body}}').join()}]`,
          }),
        ),
      ),
      reply: MANY_ITEMS,
    }),
    'keywords and a message of ligatures': () => ({
      graph: buildChain([]),
      trigger: `keyword:${times(20, (at) => `word${at}`).join()}`,
      message: LIGATURES,
    }),
    'keywords and a message of marks': () => ({
      graph: buildChain([]),
      trigger: 'keyword:word',
      message: MARKS,
    }),
    'a directory and a message of ligatures': () => ({
      graph: buildGraph(
        [buildNode('directory', { text: 'Where?' }), buildNode('end', { message: 'Done.' })],
        'directory resolved end',
        'directory not_found end',
      ),
      message: LIGATURES,
      overrides: {
        directory_config: {
          enabled: true,
          entries: times(500, (at) => ({ name: `${'\u{fdfa}'.repeat(90)}${at}`, category: `c${at}` })),
        },
      },
    }),
    'a choice and a message of ligatures': () => ({
      graph: buildGraph(
        [
          buildNode('question', {
            text: 'Which?',
            input: 'choice',
            options: times(12, (at) => ({ id: `o${at}`, label: '\u{fdfa}'.repeat(80) })),
          }),
          buildNode('end', { message: 'Done.' }),
        ],
        'question end',
        'question invalid end',
      ),
      message: LIGATURES,
    }),
  };

  function buildAttack({ graph, trigger = 'first_message', overrides = {}, reply: answer = 'null' }: Attack) {
    reply = answer;
    return buildFlowBot(parley, [{ graph, trigger }], { rate_limit_per_minute: 1000, ...overrides });
  }

  for (const [name, build] of Object.entries(attacks))
    itInSoak(`blocks the event loop for at most ${MAX_HELD_MS} ms by ${name}`, async () => {
      const attack = build();
      const { visit } = await buildAttack(attack);
      const { message = 'Hello' } = attack;
      await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
        const { say } = await visit();
        await say(message);
        await say(message);
      });
    });

  itInSoak('yields to other work between the steps of many concurrent turns', async () => {
    const attack = attacks['rules about a message of ligatures']!();
    const { visit } = await buildAttack(attack);
    await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
      const visitors = await Promise.all(times(10, () => visit()));
      await Promise.all(visitors.map(({ say }) => say(LIGATURES)));
    });
  });

  for (const name of ['rules about a message of ligatures', 'rules about a message of marks'])
    itInSoak(`blocks the event loop for at most ${MAX_HELD_MS} ms by ${name} in testFlow`, async () => {
      const { graph, message } = attacks[name]!();
      const { client, active } = await buildAttack({ graph });
      await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
        const { status, body } = await client.post(`/api/flows/${active[0]!.id}/run`, { message });
        assert.deepEqual([status, body.outcome], [200, 'completed']);
      });
    });

  itInSoak(`blocks the event loop for at most ${MAX_HELD_MS} ms by a long opening`, async () => {
    const graph = buildChain(times(40, (): Drawn => ['message', { text: '{{bot.name}}'.repeat(300) }]));
    const trigger = 'conversation_started';
    const { bot } = await buildAttack({ graph, trigger, overrides: { name: '*'.repeat(100) } });
    await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
      const { status, body } = await parley.client('').get(`/api/public/bots/${bot.public_key}/config`);
      assert.equal(status, 200);
      assert.ok(body.opening!.text.length < 100_000);
    });
  });

  it('fails if a turn reads and compares more than its limit', async () => {
    const { graph, message } = attacks['rules whose values are ligatures']!();
    const { active, client } = await buildAttack({ graph });
    const { body } = await client.post(`/api/flows/${active[0]!.id}/run`, { message });
    assert.deepEqual([body.outcome, body.error!.code], ['failed', 'too_much_work']);
  });

  it('fails if a turn sends more text than its limit', async () => {
    const graph = buildChain(times(30, (): Drawn => ['message', { text: 'a'.repeat(4000) }]));
    const { active, client } = await buildAttack({ graph });
    const { body } = await client.post(`/api/flows/${active[0]!.id}/run`, {});
    assert.deepEqual([body.outcome, body.error!.code], ['failed', 'too_much_text']);
  });

  for (const [what, text] of [
    ['is nested deeper than 64 levels', '['.repeat(65) + ']'.repeat(65)],
    ['has more than 10,000 different keys', `{${times(10_001, (at) => `"k${at}":1`).join()}}`],
  ] as const)
    it(`takes the port “error” of an http_request node if the response ${what}`, async () => {
      const graph = buildGraph(
        [
          buildNode('http_request', { method: 'GET', url: `${shop.origin}/` }, 'ask'),
          buildNode('end', { message: 'Good.' }, 'good'),
          buildNode('end', { message: 'Bad.' }, 'bad'),
        ],
        'ask good',
        'ask error bad',
      );
      const { visit, client, bot } = await buildAttack({ graph, reply: text });
      const { say } = await visit();
      assert.equal((await say('Hello')).content, 'Bad.');
      const { body } = await client.get(`/api/bots/${bot.id}`);
      assert.match(body.last_error!, /^Node "ask": The response (is nested deeper|has more than)/);
    });
});
