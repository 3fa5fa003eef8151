import assert from 'node:assert/strict';
import { ask, choice, DONE, events, HELLO, read, say, WHOLE } from './model-stream-support.ts';

describe('a model’s stream', () => {
  for (const [what, body] of [
    ['with a finish reason and an end marker', events(...HELLO, choice({}, 'stop'), DONE)],
    ['with a finish reason alone', events(...HELLO, choice({}, 'stop'))],
    ['with an end marker alone', events(...HELLO, DONE)],
    [
      'with neither, of a server that never sends finish reasons',
      events(choice({ content: 'Hello' }), choice({ content: ' world' })),
    ],
    ['with the finish reason in the last text', events(say('Hello'), say(' world', 'stop'), DONE)],
    ['with a finish reason in each event', events(say('Hello', 'stop'), say(' world', 'stop'))],
    ['that was cut by the token limit', events(...HELLO, choice({}, 'length'), DONE)],
    ['whose last event is not closed', events(say('Hello')) + `data: ${say(' world', 'stop')}`],
    ['whose last event has one line end', events(say('Hello')) + `data: ${say(' world', 'stop')}\n`],
    ['whose end marker is not closed', `${events(...HELLO)}data: [DONE]`],
    [
      'whose events are separated by one line end',
      events(...HELLO, choice({}, 'stop'), DONE).replaceAll('\n\n', '\n'),
    ],
    ['with Windows line ends', events(...HELLO, DONE).replaceAll('\n', '\r\n')],
    ['with carriage returns', events(...HELLO, DONE).replaceAll('\n', '\r')],
    ['with single Windows line ends', events(...HELLO, DONE).replaceAll('\n\n', '\r\n')],
    ['with three line ends', events(...HELLO, DONE).replaceAll('\n\n', '\n\n\n')],
    ['without blanks after the colons', events(...HELLO, DONE).replaceAll('data: ', 'data:')],
    ['with doubled field names', events(...HELLO, DONE).replaceAll('data: ', 'data: data: ')],
    ['with indented field names in capitals', events(...HELLO, DONE).replaceAll('data: ', ' DATA: ')],
    [
      'beside another answer',
      events(
        ...HELLO.flatMap((each) => [each, each.replace('"index":0', '"index":1').replace('o', 'oo')]),
        JSON.stringify({
          choices: [1, 0].map((index) => ({
            index,
            delta: { content: index ? 'No' : '' },
            finish_reason: 'stop',
          })),
        }),
        DONE,
      ),
    ],
    ['with a byte order mark', `\ufeff${events(...HELLO, DONE)}`],
    ['after blank lines', `\n\r\n\n${events(...HELLO, DONE)}`],
    [
      'with comments and other fields',
      `: OPENROUTER PROCESSING\n\nretry: 100\n${events(...HELLO).replaceAll('data:', ': ping\nevent: message\nid: 1\ndata:')}: \n\n${events(DONE)}`,
    ],
    [
      'with keep-alive words between the events',
      events('ping', say('Hello'), '', 'keep-alive', say(' world'), DONE),
    ],
    [
      'with data in several lines',
      events(
        ...HELLO.map((each) => JSON.stringify(JSON.parse(each), null, 1).replaceAll('\n', '\ndata: ')),
        DONE,
      ),
    ],
    ['with the end marker as JSON', events(...HELLO, '"[DONE]"')],
    [
      'with a role alone at the start',
      events(
        choice({ role: 'assistant' }, null),
        choice({ role: 'assistant', content: '' }, null),
        ...HELLO,
        DONE,
      ),
    ],
    [
      'with null and missing values',
      events(
        choice({ content: null }, null),
        choice(null, null),
        choice(undefined),
        '{"choices":null}',
        '{"choices":[null]}',
        '{}',
        'null',
        ...HELLO,
        choice({ content: null }, 'stop'),
      ),
    ],
    [
      'with empty choices',
      events('{"choices":[]}', ...HELLO, choice({}, 'stop'), '{"choices":[],"usage":null}'),
    ],
    [
      'with empty errors',
      events(`{"error":null,${HELLO[0]!.slice(1)}`, `{"error":"",${HELLO[1]!.slice(1)}`, DONE),
    ],
    [
      'with reasoning in separate fields',
      events(
        choice({ reasoning_content: 'Hm.', content: null }, null),
        choice({ reasoning: 'Hm.' }, null),
        choice({ thinking: 'Hm.', content: '' }, null),
        ...HELLO,
        DONE,
      ),
    ],
    [
      'with tool calls',
      events(
        ...HELLO,
        choice({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] }, null),
        DONE,
      ),
    ],
    [
      'with the whole message in one event',
      events(JSON.stringify({ choices: [{ message: { content: 'Hello world' }, finish_reason: 'stop' }] })),
    ],
    [
      'with the whole message again at the end',
      events(
        ...HELLO,
        JSON.stringify({ choices: [{ message: { content: 'Hello world' }, finish_reason: 'stop' }] }),
      ),
    ],
    [
      'with a refusal',
      events(choice({ content: null, refusal: 'Hello' }, null), choice({ refusal: ' world' }, 'stop')),
    ],
    ['with content in parts', events(say([{ type: 'text', text: 'Hello world' }]), choice({}, 'stop'), DONE)],
    [
      'with content in several parts',
      events(
        say([
          { type: 'text', text: 'Hello' },
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: ' ' },
          'world',
          null,
          7,
          [],
        ]),
        DONE,
      ),
    ],
    [
      'with thoughts in parts',
      events(
        say([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]),
        say([
          { type: 'reasoning', text: 'Hm.' },
          { type: 'output_text', text: 'Hello' },
        ]),
        say({ type: 'text', text: ' world' }),
        DONE,
      ),
    ],
    ['followed by an error', events(...HELLO, choice({}, 'stop'), '{"error":{"message":"late"}}')],
    ['followed by garbage', `${events(...HELLO, DONE, '{oops')}data: {"cut`],
  ] as const)
    it(`${what} is read`, async () => assert.deepEqual(await read(body), WHOLE));

  it('is read even if its Content-Type is not text/event-stream', async () => {
    for (const contentType of [
      'text/plain',
      'application/octet-stream',
      'Text/Event-Stream',
      'application/json',
    ])
      assert.deepEqual(await read(events(...HELLO, DONE), { contentType }), WHOLE);
  });

  it('is read from lines of JSON without field names', async () => {
    const ollama = (content: string, more = '"done":false') =>
      `{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":${JSON.stringify(content)}},${more}}`;
    const counts = '"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":2';
    for (const contentType of [
      'application/x-ndjson',
      'application/json',
      'text/event-stream',
      'text/plain',
    ]) {
      for (const lineEnd of ['\n', '\r\n', '\n\n']) {
        const join = (...lines: string[]) => lines.map((line) => line + lineEnd).join('');
        assert.deepEqual(await read(join(...HELLO, choice({}, 'stop')), { contentType }), WHOLE);
        assert.deepEqual(await read(join(...HELLO, DONE), { contentType }), WHOLE);
        assert.deepEqual(
          await read(join(ollama('Hello'), ollama(' world'), ollama('', counts)), { contentType }),
          {
            ...WHOLE,
            usage: [[9, 2]],
          },
        );
      }
      const generated =
        '{"response":"Hello","done":false}\n{"response":" world","done":false}\n{"response":"","done":true}';
      assert.deepEqual(await read(generated, { contentType }), WHOLE);
    }
  });

  it('of JSON lines that ends early or has an error keeps its text and fails once', async () => {
    const contentType = 'application/x-ndjson';
    const [hello] = HELLO;
    for (const body of [`${hello}\n`, `${hello}\n{"error":"overloaded"}\n`, `${hello}\n{"choices":[{"del`])
      assert.deepEqual(await read(body, { contentType }), {
        text: 'Hello',
        usage: [],
        failure: 'model_unavailable',
      });
  });

  it('is read although its connection breaks after the end', async () => {
    for (const end of [choice({}, 'stop'), DONE])
      assert.deepEqual(await read(events(...HELLO, end), { end: new TypeError('terminated') }), WHOLE);
  });

  it('is read although its server never closes it after the end', async () => {
    const startedAt = performance.now();
    assert.deepEqual(await read(events(...HELLO, DONE), { end: 'hang' }), WHOLE);
    assert.ok(performance.now() - startedAt < 20_000);
  });

  it('yields only its last token counts', async () => {
    const usage = (input: number, output: number) =>
      `"usage":{"prompt_tokens":${input},"completion_tokens":${output}}}`;
    const counted = HELLO.map((each, at) => `${each.slice(0, -1)},${usage(9, at)}`);
    const body = events(...counted, choice({}, 'stop'), `{"choices":[],${usage(9, 2)}`, DONE);
    assert.deepEqual(await read(body), { ...WHOLE, usage: [[9, 2]] });
  });

  for (const [what, texts, expected] of [
    ['an emoji in two events', ['Hi \ud83d', '\ude0a you'], 'Hi 😊 you'],
    ['an emoji around an empty event', ['Hi \ud83d', '', '\ude0a'], 'Hi 😊'],
    ['two emojis in three events', ['\ud83d', '\ude0a\ud83d', '\ude0a'], '😊😊'],
    ['half an emoji at the end', ['Hi', ' \ud83d'], 'Hi '],
    ['half an emoji in the middle', ['Hi \ud83d you \ude0a.'], 'Hi  you .'],
    ['replacement characters at the end', ['Hi \ufffd', '\ufffd'], 'Hi '],
    ['replacement characters in the middle', ['Hi \ufffd', ' you'], 'Hi \ufffd you'],
  ] as const)
    it(`with ${what} becomes ${JSON.stringify(expected)}`, async () =>
      assert.deepEqual(await read(events(...texts.map((text) => say(text)), DONE)), {
        ...WHOLE,
        text: expected,
      }));

  it('that ends with half the bytes of an emoji loses them', async () => {
    const [before, after] = events(say('Hi #'), DONE).split('#') as [string, string];
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xf0, 0x9f]), Buffer.from(after)]);
    assert.deepEqual(await read(body), { ...WHOLE, text: 'Hi ' });
  });

  for (const [what, code, body, end] of [
    [
      'has an error in the middle',
      'model_unavailable',
      events(...HELLO, '{"error":{"message":"overloaded"}}', say('no')),
    ],
    ['has an error as text', 'model_unavailable', events(...HELLO, '{"error":"overloaded"}')],
    [
      'has an error next to choices',
      'model_rate_limited',
      events(...HELLO, '{"error":{"code":429},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}'),
    ],
    [
      'has an error as an object',
      'model_unavailable',
      events(...HELLO, '{"object":"error","message":"no","code":503}'),
    ],
    ['has a finish reason that means an error', 'model_unavailable', events(...HELLO, choice({}, 'error'))],
    [
      'has an error and an end marker',
      'model_rate_limited',
      events(...HELLO, '{"error":{"type":"rate_limit_error"}}', DONE),
    ],
    [
      'exceeds the context',
      'model_too_long',
      events(...HELLO, '{"error":{"code":"context_length_exceeded"}}'),
    ],
    ['ends without the announced finish reason', 'model_unavailable', events(...HELLO)],
    [
      'ends within an event',
      'model_unavailable',
      events(choice({ content: 'Hello' }), choice({ content: ' world' })) +
        'data: {"choices":[{"delta":{"con',
    ],
    ['has garbage in the middle', 'model_invalid_response', events(...HELLO, '{"choices": [oops', say('no'))],
    ['breaks', 'model_unavailable', events(...HELLO), new TypeError('terminated')],
  ] as const)
    it(`that ${what} keeps its text and fails once with ${code}`, async () =>
      assert.deepEqual(await read(body, end && { end }), { ...WHOLE, failure: code }));

  for (const [what, code, body] of [
    ['has an end marker alone', 'model_invalid_response', events(DONE)],
    ['has a role alone', 'model_invalid_response', events(choice({ role: 'assistant' }, 'stop'), DONE)],
    [
      'has thoughts alone',
      'model_invalid_response',
      events(choice({ reasoning_content: 'Hm.' }, 'stop'), DONE),
    ],
    ['has an error alone', 'model_unavailable', events('{"error":{"message":"no"}}', DONE)],
    [
      'has an error after an empty answer',
      'model_unavailable',
      events(choice({}, 'stop'), '{"error":{"message":"no"}}'),
    ],
  ] as const)
    it(`that ${what} fails with ${code}`, async () =>
      assert.deepEqual(await read(body), { text: '', usage: [], failure: code }));

  describe('that is one JSON answer', () => {
    const whole = (message: unknown) =>
      JSON.stringify(
        { choices: [{ message, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 2 } },
        null,
        1,
      );
    for (const contentType of ['application/json; charset=utf-8', 'text/event-stream', 'text/plain', ''])
      it(`is read with ${contentType || 'no'} as its Content-Type`, async () => {
        for (const content of [
          'Hello world',
          [
            { type: 'thinking', thinking: [] },
            { type: 'text', text: 'Hello world' },
          ],
        ])
          assert.deepEqual(await read(whole({ content }), { contentType }), { ...WHOLE, usage: [[9, 2]] });
      });

    const readFailure = async (body: string) =>
      (await ask({ bytes: Buffer.from(body), contentType: 'application/json', chunkBytes: 9 }, false))
        .failure;

    it('fails with model_invalid_response if it has no text', async () => {
      for (const body of [whole({ content: null }), '{}', '{"choices":[]}', '[]'])
        assert.equal(await readFailure(body), 'model_invalid_response');
    });

    it('fails with model_rate_limited or model_unavailable, depending on its error', async () => {
      assert.equal(await readFailure('{"error":{"code":"rate_limit_exceeded"}}'), 'model_rate_limited');
      assert.equal(await readFailure('{"error":{"message":"no"}}'), 'model_unavailable');
    });
  });
});
