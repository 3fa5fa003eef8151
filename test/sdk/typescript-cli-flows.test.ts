import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { buildGraph, buildNode } from '../flows/graphs.ts';
import { buildBot } from '../support/build-bot.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { terminal } from './command-line.ts';

const GREETING = buildGraph(
  [
    buildNode('question', { text: 'Who are you?', input: 'text', variable: 'name' }, 'ask'),
    buildNode('end', { message: 'Hello {{vars.name}}!' }),
  ],
  'ask end',
);
const SHOP = buildGraph(
  [
    buildNode('http_request', {
      method: 'GET',
      url: 'https://shop.example.com/orders',
      headers: [{ name: 'X-Key', value: 'very secret', secret: true }],
      save: [{ path: 'state', variable: 'state' }],
    }),
    buildNode('end', { message: 'It is {{vars.state}}.' }),
  ],
  'http_request end',
  'http_request error end',
);

describe('`parley flows`', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildTerminal() {
    const { key, ...org } = await buildBot(parley);
    const shell = terminal({ PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key });
    const createFlow = async (graph: object, fields: object = {}) => {
      const flow = { bot_id: org.bot.id, name: 'Greeting', graph, ...fields };
      return (await org.client.post('/api/flows', flow)).body;
    };
    const writeFlowFile = (content: object, name = 'flow.json') => {
      const file = join(shell.home, name);
      writeFileSync(file, JSON.stringify(content));
      return file;
    };
    return { ...org, ...shell, create: createFlow, writeFlowFile };
  }

  const readFlowFile = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

  it('lists flows of the workspace, or of one bot', async () => {
    const { run, client, create, bot } = await buildTerminal();
    const { id } = await create(GREETING, { trigger: 'keyword:hello' });
    assert.equal((await run(['flows', 'list'])).out, `${id}  inactive  keyword:hello  Greeting\n`);
    const other = (await client.post('/api/bots', { name: 'Other' })).body;
    assert.equal((await run(['flows', 'list', '--bot', other.id])).out, '');
    await client.post(`/api/flows/${id}/activate`);
    assert.match((await run(['flows', 'list', '--bot', bot.id])).out, /^\S+ {2}active {2}/);
  });

  it('pulls a flow without its secrets, and keeps the secrets when the flow is pushed back', async () => {
    const { run, json, home, client, create } = await buildTerminal();
    const { id } = await create(SHOP);
    const file = join(home, 'shop.json');
    assert.deepEqual(await run(['flows', 'pull', id, file]), {
      code: 0,
      out: `Greeting was written to ${file}.\n`,
      err: '',
    });
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /very secret|has_value/);
    assert.equal((await run(['flows', 'pull', id])).out, text);
    writeFileSync(file, text.replace('It is', 'Your order is'));
    const { revision } = await json(['flows', 'push', file]);
    assert.equal(revision, 2);
    const { graph } = (await client.get(`/api/flows/${id}`)).body;
    const [, request, end] = graph['nodes'] as { data: { headers: object[]; message: string } }[];
    assert.deepEqual(request?.data.headers, [{ name: 'X-Key', secret: true, has_value: true }]);
    assert.equal(end?.data.message, 'Your order is {{vars.state}}.');
  });

  it('push and pull preserve the order of keys in the file', async () => {
    const { run, bot, home, client } = await buildTerminal();
    const file = join(home, 'ordered.json');
    const [start, ask, end] = GREETING.nodes;
    const nodes = [
      start,
      { type: 'question', data: { variable: 'name', text: 'Who?', input: 'text' }, id: 'ask' },
      end,
    ];
    const { edges } = GREETING;
    const graph = { edges: edges.map(({ target, ...edge }) => ({ target, ...edge })), nodes, version: 1 };
    writeFileSync(file, JSON.stringify({ trigger: 'first_message', name: 'Ordered', graph }));
    assert.equal(ask?.id, 'ask');
    const pushed = await run(['flows', 'push', file, '--bot', bot.id, '--activate']);
    const [id = ''] = pushed.out.split(' ');
    const text = readFileSync(file, 'utf8');
    const saved = JSON.parse(text) as { graph: { nodes: object[]; edges: object[] } };
    assert.deepEqual(Object.keys(saved), [
      'format',
      'id',
      'bot_id',
      'updated_at',
      'description',
      'trigger',
      'name',
      'graph',
    ]);
    assert.deepEqual(Object.keys(saved.graph), ['edges', 'nodes', 'version']);
    assert.equal(JSON.stringify(saved.graph.nodes[1]), JSON.stringify(nodes[1]));
    assert.equal(JSON.stringify(saved.graph.edges), JSON.stringify(graph.edges));
    await run(['flows', 'pull', id, file]);
    assert.equal(readFileSync(file, 'utf8'), text);
    await client.put(`/api/flows/${id}`, {
      bot_id: bot.id,
      name: 'Renamed',
      trigger: 'first_message',
      graph,
    });
    await run(['flows', 'pull', id, file]);
    const lines = readFileSync(file, 'utf8').split('\n');
    const changed = text.split('\n').filter((line, index) => line !== lines[index]);
    assert.deepEqual(
      changed.map((line) => /^ {2}"(\w+)"/.exec(line)?.[1]),
      ['updated_at', 'name'],
    );
  });

  it('pull writes a new file with keys in a fixed order, which a push preserves', async () => {
    const { run, home, create } = await buildTerminal();
    const { id } = await create(SHOP);
    const file = join(home, 'new.json');
    await run(['flows', 'pull', id, file]);
    const text = readFileSync(file, 'utf8');
    const { graph, ...fields } = JSON.parse(text) as { graph: { nodes: object[]; edges: object[] } };
    const names = ['format', 'id', 'bot_id', 'updated_at', 'name', 'description', 'trigger'];
    assert.deepEqual(Object.keys(fields), names);
    assert.deepEqual(Object.keys(graph), ['version', 'nodes', 'edges']);
    assert.deepEqual(graph.nodes.map(Object.keys), Array(3).fill(['id', 'type', 'data']));
    assert.deepEqual(Object.keys(graph.edges[2] ?? {}), ['source', 'port', 'target']);
    await run(['flows', 'push', file]);
    const withoutTime = (content: string) => content.replace(/"updated_at": ".+"/, '');
    assert.equal(withoutTime(readFileSync(file, 'utf8')), withoutTime(text));
    assert.equal((await run(['flows', 'pull', id])).out, readFileSync(file, 'utf8'));
  });

  it('creates a flow from a file without an id, and updates it afterwards', async () => {
    const { run, json, bot, writeFlowFile, client } = await buildTerminal();
    const file = writeFlowFile({ name: 'New', trigger: 'first_message', graph: GREETING });
    const lost = await run(['flows', 'push', file]);
    assert.equal(lost.code, exitCodes.usage);
    assert.match(lost.err, /push it with --bot/);
    const made = await run(['flows', 'push', file, '--bot', bot.id]);
    const { id } = readFlowFile(file);
    assert.equal(made.out, `${String(id)}  inactive  revision 1\n`);
    const again = await json(['flows', 'push', file, '--activate']);
    assert.deepEqual([again['id'], again['is_active']], [id, true]);
    assert.equal((await client.get('/api/flows')).body.length, 1);
  });

  itInSoak('does not overwrite another user’s changes without --force', async () => {
    const { run, home, client, create, bot } = await buildTerminal();
    const { id } = await create(GREETING);
    const file = join(home, 'flow.json');
    await run(['flows', 'pull', id, file]);
    await client.put(`/api/flows/${id}`, { bot_id: bot.id, name: 'Theirs', graph: GREETING });
    const refused = await run(['flows', 'push', file]);
    assert.equal(refused.code, exitCodes.refused);
    assert.match(refused.err, /^The flow was saved at .*: pull the flow and repeat your changes/);
    assert.equal((await client.get(`/api/flows/${id}`)).body.name, 'Theirs');
    assert.equal((await run(['flows', 'push', file, '--force'])).code, exitCodes.done);
    assert.equal((await client.get(`/api/flows/${id}`)).body.name, 'Greeting');
    assert.equal((await run(['flows', 'push', file])).code, exitCodes.done, 'the file is of what was saved');
  });

  itInSoak(
    'names the node of each problem, and checks an unsaved flow with the help of another flow of the bot',
    async () => {
      const { run, bot, writeFlowFile, create } = await buildTerminal();
      const unwired = buildGraph(
        [buildNode('message', { text: ' ' }, 'hello'), buildNode('end')],
        'hello end',
      );
      const file = writeFlowFile({ bot_id: bot.id, name: 'Draft', graph: unwired });
      const nothing = await run(['flows', 'check', file]);
      assert.equal(nothing.code, exitCodes.usage);
      assert.match(nothing.err, /A test needs a flow, but the bot has none yet/);
      await create(GREETING);
      assert.deepEqual(await run(['flows', 'check', file]), {
        code: exitCodes.refused,
        out: 'graph.nodes[1].data.text: Node "hello": text must not be empty\n',
        err: '',
      });
      const wrong = writeFlowFile(buildGraph([buildNode('message', { text: 1 }, 'hello')]), 'graph.json');
      const { code, out } = await run(['flows', 'check', wrong, '--bot', bot.id, '--json']);
      assert.equal(code, exitCodes.refused);
      const { ok, problems } = JSON.parse(out) as {
        ok: boolean;
        problems: { node: string; field: string }[];
      };
      assert.deepEqual(
        [ok, problems[0]?.node, problems[0]?.field],
        [false, 'hello', 'graph.nodes[1].data.text'],
      );
      const right = writeFlowFile({ bot_id: bot.id, name: 'Right', graph: GREETING });
      assert.deepEqual(await run(['flows', 'check', right]), {
        code: 0,
        out: 'Right can be activated.\n',
        err: '',
      });
    },
  );

  it('runs a saved flow with messages, and shows its path', async () => {
    const { run, create } = await buildTerminal();
    const { id } = await create(GREETING);
    const waiting = await run(['flows', 'run', id]);
    assert.deepEqual([waiting.code, waiting.out.split('\n').at(-2)], [0, 'Waits at ask for text.']);
    assert.deepEqual(await run(['flows', 'run', id, 'Ada']), {
      code: 0,
      out: [
        'bot: Who are you?',
        'visitor: Ada',
        'bot: Hello Ada!',
        '',
        'start  start     → out',
        'ask    question',
        'ask    question  → out  name = "Ada"',
        'end    end',
        '',
        'Ended.',
        '',
      ].join('\n'),
      err: '',
    });
  });

  itInSoak('runs a file with samples and variables, and fails if the flow fails', async () => {
    const { run, json, writeFlowFile, create, bot } = await buildTerminal();
    await create(GREETING);
    const file = writeFlowFile({ bot_id: bot.id, name: 'Shop', graph: SHOP });
    const samples = JSON.stringify({ http_request: { port: 'out', body: { state: 'sent' } } });
    const { messages } = await json(['flows', 'run', file, '--samples', samples]);
    assert.deepEqual(messages, [{ role: 'assistant', content: 'It is sent.' }]);
    const unasked = await run(['flows', 'run', file]);
    assert.match(unasked.out, /^Warning: Node "http_request": no request was sent/m);
    const about = buildGraph([
      buildNode('end', { message: '{{vars.name}}, {{last_message}}, {{visitor.page_url}}' }),
    ]);
    const known = ['--var', 'name=Ada', '--said', 'Hello', '--page', 'https://example.com/prices'];
    const { out } = await run(['flows', 'run', writeFlowFile({ bot_id: bot.id, graph: about }), ...known]);
    assert.match(out, /^bot: Ada, Hello, https:\/\/example\.com\/prices$/m);
    const endless = buildGraph(
      [buildNode('message', { text: 'Again' }), buildNode('jump', { node: 'message' })],
      'message jump',
    );
    const failed = await run([
      'flows',
      'run',
      writeFlowFile({ bot_id: bot.id, graph: endless }, 'endless.json'),
    ]);
    assert.equal(failed.code, exitCodes.refused);
    assert.match(failed.out, /^Failed at \w+: /m);
  });

  it('explains an invalid or missing file', async () => {
    const { run, home, writeFlowFile } = await buildTerminal();
    const file = writeFlowFile({ name: 'No graph' });
    const expected = `${file} is not a flow: a flow has a graph with the lists "nodes" and "edges".\n`;
    assert.deepEqual(await run(['flows', 'push', file]), { code: exitCodes.usage, out: '', err: expected });
    writeFileSync(join(home, 'text.json'), 'no JSON');
    assert.equal((await run(['flows', 'check', join(home, 'text.json')])).code, exitCodes.usage);
    const unknown = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
    assert.equal((await run(['flows', 'pull', unknown])).code, exitCodes.notFound);
    const noVariable = await run(['flows', 'run', unknown, '--var', 'state']);
    assert.deepEqual(
      [noVariable.code, noVariable.err],
      [exitCodes.usage, '--var must be <name=value>, not state.\n'],
    );
  });
});
