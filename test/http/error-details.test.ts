import assert from 'node:assert/strict';
import type { ErrorDetail } from '../../core/errors/errors.ts';
import { operations } from '../../api/registry.ts';
import { formatSchemaError } from '../../core/errors/schema-messages.ts';
import { newId } from '../../core/ids.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { formatOutcome } from '../support/outcome.ts';

describe('the details of an invalid request', () => {
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => {
    parley = await startSharedParley();
    org = await parley.buildOrg();
  });

  async function findRefusal(body: object | string) {
    const response = await org.client.post('/api/bots', body);
    assert.equal(formatOutcome(response), '422 validation_error');
    return response.problem;
  }

  it('name every invalid field at once, at any depth', async () => {
    const { details } = await findRefusal({
      temperature: 99,
      starter_questions: ['What does it cost?', 5],
      lead_capture_config: { fields: [{ key: 'name', label: 'Name' }, { key: 'Not a key' }] },
      surprise: 1,
    });
    assert.deepEqual(details.map(({ field, pointer, code }) => `${field} ${pointer} ${code}`).sort(), [
      'lead_capture_config.fields[1].key #/lead_capture_config/fields/1/key pattern',
      'lead_capture_config.fields[1].label #/lead_capture_config/fields/1/label required',
      'name #/name required',
      'starter_questions[1] #/starter_questions/1 type',
      'surprise #/surprise unknown_key',
      'temperature #/temperature maximum',
    ]);
  });

  it('name fields of path, query and body together', async () => {
    const { problem } = await org.client.patch('/api/bots/none?page=1', { temperature: 99 });
    assert.deepEqual(
      problem.details.map(({ in: where, field, code }) => `${where} ${field} ${code}`),
      ['path bot_id format', 'query page unknown_key', 'body temperature maximum'],
    );
  });

  it('name a field once, however many errors it has', async () => {
    const { problem } = await org.client.get('/api/bots/%00');
    assert.deepEqual(
      [problem.details.length, problem.error.message],
      [2, 'bot_id must not contain the NUL character'],
    );
  });

  it('contain one error for an empty text (must not be empty) and for a blank text (must not be blank)', async () => {
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const path = `/api/bots/${bot.id}/playground` as const;
    for (const [message, expected] of [
      ['', 'must not be empty'],
      [' ', 'must not be blank'],
    ]) {
      const { problem } = await org.client.post(path, { message });
      assert.deepEqual(
        problem.details.map((detail) => detail.message),
        [expected],
      );
    }
  });

  it('explain each pattern of a field by an example or in words', () => {
    const patterns = new Map<string, unknown[]>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { pattern, examples = [] } = value as { pattern?: unknown; examples?: unknown[] };
      if (typeof pattern === 'string') patterns.set(pattern, examples);
      Object.values(value).forEach(collect);
    };
    collect(operations.map(({ params, query, body }) => [params, query, body]));
    const explain = (pattern: string, examples: unknown[]) =>
      formatSchemaError({
        keyword: 'pattern',
        params: { pattern },
        parentSchema: { examples },
        data: '?',
        instancePath: '',
        schemaPath: '',
      });
    const riddles = [...patterns].filter(([pattern, examples]) =>
      explain(pattern, examples).startsWith('must match'),
    );
    assert.ok(patterns.size > 20);
    assert.deepEqual(riddles, []);
  });

  it('name the known field that an unknown field resembles, on every level and for parameters', async () => {
    const { details, error } = await findRefusal({
      name: 'x',
      systemPrompt: 'Be brief.',
      welcom_mesage: 'Hello',
      color: '#2563eb',
      surprise: 1,
      widget_theme: { gradient: { from_color: '#000000', to_color: '#ffffff', angel: 90 } },
    });
    assert.deepEqual(
      details.map(({ field, message }) => `${field} ${message}`),
      [
        'systemPrompt is not a known field (did you mean system_prompt?)',
        'welcom_mesage is not a known field (did you mean welcome_message?)',
        'color is not a known field',
        'surprise is not a known field',
        'widget_theme.gradient.angel is not a known field (did you mean angle?)',
      ],
    );
    assert.match(
      error.message,
      /^5 fields are not valid: systemPrompt is .+ system_prompt\?\); welcom_mesage /,
    );
    const { problem } = await org.client.get('/api/bots?page_sise=5' as '/api/bots');
    assert.equal(problem.error.message, 'page_sise is not a known field (did you mean page_size?)');
  });

  it('say that a new bot is a draft if its status is sent', async () => {
    const { error } = await findRefusal({ name: 'x', status: 'active' });
    assert.equal(error.message, 'status is not a known field (a new bot is a draft; set status with PATCH)');
  });

  it('list the values of an enum, without null', async () => {
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const { problem } = await org.client.patch(`/api/bots/${bot.id}`, { status: 'live' });
    assert.equal(problem.error.message, 'status must be one of "draft", "active", "paused", "archived"');
  });

  it('say how to allow all hosts if a list of hosts contains *', async () => {
    const { error } = await findRefusal({ name: 'x', allowed_domains: ['*'] });
    assert.equal(
      error.message,
      'allowed_domains[0] must look like "www.example.com" or "localhost:5173"; use "*.example.com" for subdomains; to allow all hosts, use null instead of the list',
    );
  });

  it('also have the format that common frameworks return in `detail`', async () => {
    const { detail } = await findRefusal({ name: 'x', starter_questions: [5] });
    assert.deepEqual(detail, [
      { loc: ['body', 'starter_questions', 0], msg: 'must be a string', type: 'type' },
    ]);
  });

  it('point to parameters in the form in which they were parsed from the URL', async () => {
    const readMessage = async (query: string) =>
      (await org.client.get(`/api/bookings?${query}`)).problem.details.map(({ message }) => message);
    assert.deepEqual(await readMessage('from=2026-09-03T10:15:30Z&from=2026-09-04T10:15:30Z'), [
      'must be given only once',
    ]);
    assert.deepEqual(await readMessage('from=2026-09-03T10:15:30+01:00'), [
      'must be a date and time such as 2026-09-03T10:15:30Z; write the + of its offset as %2B',
    ]);
    for (const time of ['2026-09-03T10:15:30', '2026-09-03 10:15:30.250', '2026-09-03T10:15'])
      assert.deepEqual(await readMessage(`from=${time}`), [
        'must be a date and time such as 2026-09-03T10:15:30Z; add Z or an offset such as -05:00',
      ]);
    assert.deepEqual(await readMessage('from=2026-09-03'), [
      'must be a date and time such as 2026-09-03T10:15:30Z',
    ]);
  });

  const names: [name: string, field: string, pointer: string][] = [
    ['a.b', 'a.b', '#/a.b'],
    ['a[0]', 'a[0]', '#/a%5B0%5D'],
    ['0', '0', '#/0'],
    ['a/b~c', 'a/b~c', '#/a~1b~0c'],
    ['a b#ü', 'a b#ü', '#/a%20b%23%C3%BC'],
    ['', '(body)', '#/'],
  ];
  for (const [name, field, pointer] of names) {
    it(`point exactly to the name ${JSON.stringify(name)}`, async () => {
      const { details, detail } = await findRefusal({ name: 'x', [name]: 1 });
      assert.deepEqual(
        details.map((each) => [each.field, each.pointer]),
        [[field, pointer]],
      );
      assert.ok(typeof detail !== 'string');
      assert.deepEqual(detail[0]?.loc, ['body', name]);
    });
  }

  it('name text that cannot be stored, together with other errors', async () => {
    const { details } = await findRefusal(
      `{"name":"a\\u0000b","description":"\\ud800","temperature":99,
        "widget_theme":{"a.b":[1,{"c":"\\udc00"}],"d":1e999,"e":{"\\u0000":1}}}`,
    );
    assert.deepEqual(
      details.map(({ field, pointer, message }) => `${field} ${pointer} ${message}`),
      [
        'name #/name must not contain the NUL character',
        'description #/description must not contain a lone surrogate',
        'widget_theme.a.b[1].c #/widget_theme/a.b/1/c must not contain a lone surrogate',
        'widget_theme.d #/widget_theme/d is a number that is too large',
        'widget_theme.e #/widget_theme/e has a key that must not contain the NUL character',
        'name #/name must be one line, without control characters and without characters that change the text’s direction',
        'temperature #/temperature must be at most 2',
      ],
    );
  });

  it('are limited to a hundred, as the message says', async () => {
    const buildKeys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 1]));
    const some = await findRefusal({ name: 'a', ...buildKeys(100) });
    assert.equal(some.details.length, 100);
    assert.equal(
      some.error.message,
      '100 fields are not valid: key_0 is not a known field; key_1 is not a known field; key_2 is not a known field; …',
    );
    for (const count of [101, 30_000]) {
      const { details, error } = await findRefusal({ name: 'a', ...buildKeys(count) });
      assert.equal(details.length, 100);
      assert.deepEqual([details[99]?.field, details[99]?.code], ['key_99', 'unknown_key']);
      assert.equal(error.message, 'more than 100 values are not valid; the first 100 are listed');
    }
  });

  it('name a list with too many items, however many items it has', async () => {
    for (const count of [7, 300, 50_000]) {
      const { details } = await findRefusal({ name: 'a', starter_questions: Array(count).fill('Where?') });
      assert.deepEqual(
        details.map(({ field, code, message }) => [field, code, message]),
        [['starter_questions', 'maxItems', 'must have at most 6 items']],
      );
    }
    for (const count of [21, 300, 50_000]) {
      const { problem } = await org.client.post(`/api/bots/${newId()}/knowledge`, {
        tags: Array.from({ length: count }, (_, index) => `tag ${index}`),
        source_type: 'url',
        url: 'https://example.com/',
      });
      const found = problem.details.map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );
      assert.deepEqual(found, ['tags maxItems']);
    }
  });

  const manyKeys = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`key_${index}`, 1]));

  it('name the free-form object that has too many values', async () => {
    const { details } = await findRefusal({ name: 'a', widget_theme: manyKeys });
    const message = 'must have at most 1000 values, including those in nested objects and lists';
    assert.deepEqual(
      details.map(({ field, code, message }) => [field, code, message]),
      [['widget_theme', 'maxValues', message]],
    );
  });

  it('name the object that makes the body too large, if no limit of its own applies to it', async () => {
    const node = { id: 'start', type: 'start', data: manyKeys };
    const graph = { version: 1, nodes: [node], edges: [] };
    const { problem } = await org.client.post('/api/flows', { bot_id: newId(), name: 'a', graph });
    assert.deepEqual(
      problem.details.map(({ field, code, message }: ErrorDetail) => [field, code, message]),
      [['graph', 'maxValues', 'makes the body larger than the maximum']],
    );
  });

  it('truncate a very long key', async () => {
    const { details } = await findRefusal({ name: 'a', ['k'.repeat(100_000)]: 1 });
    assert.equal(details[0]?.field, `${'k'.repeat(100)}…`);
  });

  it('are an empty list if no field is invalid, and then `detail` is a text', async () => {
    const { problem } = await org.client.post('/api/bots', '{"name":');
    assert.deepEqual(problem.details, []);
    assert.equal(problem.detail, problem.error.message);
  });

  it('do not change a free-form object, whatever its keys', async () => {
    const theme = '{"__proto__":{"a":1},"constructor":{"prototype":null},"a.b":[],"":"é"}';
    const { status, body } = await org.client.post('/api/bots', `{"name":"x","widget_theme":${theme}}`);
    assert.equal(status, 201);
    const { body: read } = await org.client.get(`/api/bots/${body.id}`);
    for (const { widget_theme } of [body, read])
      assert.deepEqual(Object.entries(widget_theme).sort(), Object.entries(JSON.parse(theme)).sort());
  });

  it('have a type that links to the page of the error', async () => {
    const { problem } = await org.client.post('/api/bots', {});
    const { origin, pathname } = new URL(problem.type);
    assert.equal(origin, new URL(parley.runtime.settings.baseUrl).origin);
    const page = await parley.client().get(pathname, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    assert.equal(page.status, 200);
    assert.match(String(page.body), /<code>validation_error<\/code>, HTTP status 422/);
  });
});
