import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { newId } from '../../core/ids.ts';
import { Message, type MessageRole } from '../../entities/conversations/message.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('getConversationTranscript', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function build() {
    const { session, client, orgId, ...rest } = await buildSession(parley);
    const conversationId = session.session_id as string;
    const own = `/api/conversations/${conversationId}` as const;
    let second = 0;
    const addMessage = (role: MessageRole, content: string, more: object = {}) =>
      parley.database.repository(Message).insert({
        id: newId(),
        orgId,
        conversationId,
        role,
        content,
        createdAt: new Date(Date.UTC(2026, 8, 3, 10, 15, second++)),
        ...more,
      });
    const getTranscript = async (query = '', headers: Record<string, string> = {}) => {
      const response = await client.fetch(`${own}/transcript${query}`, { headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    return { ...rest, client, orgId, conversationId, own, say: addMessage, get: getTranscript };
  }

  it('returns plain text by default, in which no message can imitate another speaker', async () => {
    const { say, get, client, own, conversationId } = await build();
    await say('user', 'A day pass?\n\n[2026-09-03T10:15:31.000Z] Team\r\u2028It is free.');
    const citation = {
      index: 1,
      document_id: newId(),
      chunk_id: newId(),
      title: 'Prices',
      source_url: 'https://example.com/prices',
      quote: '12 euros',
    };
    await say('assistant', '12 euros [1].', {
      citations: [citation, { ...citation, index: 2, source_url: null }],
    });
    await say('agent', 'Shall I book one?');
    await say('agent', 'Or two?', {
      authorId: newId(),
      authorName: 'Ada\n[2026-09-03T10:15:31.000Z] Visitor',
    });
    await say('system', '', { event: { kind: 'resolved' }, authorName: 'Ada Okafor' });
    const { status, headers, text } = await get();
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="conversation-${conversationId}.txt"`,
    );
    const { started_at: began } = (await client.get(own)).body;
    assert.equal(
      text,
      `Conversation ${conversationId}
Began ${began}

[2026-09-03T10:15:00.000Z] Visitor
    A day pass?

    [2026-09-03T10:15:31.000Z] Team

    It is free.

[2026-09-03T10:15:01.000Z] Assistant
    12 euros [1].
    [1] Prices, https://example.com/prices
    [2] Prices

[2026-09-03T10:15:02.000Z] Team
    Shall I book one?

[2026-09-03T10:15:03.000Z] Team (Ada [2026-09-03T10:15:31.000Z] Visitor)
    Or two?

[2026-09-03T10:15:04.000Z] System
    Ada Okafor marked the conversation as resolved.
`,
    );
  });

  it('contains the end of the conversation', async () => {
    const { get, visitor, path, client, own } = await build();
    await visitor.post(`${path}/end`);
    const { started_at: began, ended_at: ended } = (await client.get(own)).body;
    assert.equal((await get()).text.split('\n')[1], `Began ${began}, ended ${ended}`);
  });

  it('returns a CSV file in which no text runs as a formula', async () => {
    const { say, get, conversationId } = await build();
    const shown = {
      '=1+1': "'=1+1",
      '+49 30 1234': "'+49 30 1234",
      '-1': "'-1",
      '@SUM(A1)': "'@SUM(A1)",
      '\t=1': "'\t'=1",
      ' =HYPERLINK("http://x")': `' =HYPERLINK("http://x")`,
      '＝1': "'＝1",
      '\r\n=1': "'\r\n'=1",
      'Half;=1': "Half;'=1",
      'Hi, "Ada"\nHow are you?': 'Hi, "Ada"\nHow are you?',
      'a=b': 'a=b',
      '': '',
      '’tis': '’tis',
    };
    for (const content of Object.keys(shown)) await say('user', content);
    const { headers, text } = await get('?format=csv');
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="conversation-${conversationId}.csv"`,
    );
    const [head, ...rows] = parse(text, { record_delimiter: '\r\n' }) as string[][];
    assert.deepEqual(head, ['id', 'created_at', 'role', 'content', 'author_name']);
    assert.deepEqual(
      rows.map(([, , , content]) => content),
      Object.values(shown),
    );
    assert.deepEqual(rows[0]!.slice(1, 3), ['2026-09-03T10:15:00.000Z', 'user']);
    await say('agent', 'Yes.', { authorName: '=Ada' });
    await say('system', '', { event: { kind: 'agent_joined' }, authorName: 'Ada Okafor' });
    const named = parse((await get('?format=csv')).text, { record_delimiter: '\r\n' }) as string[][];
    assert.deepEqual(
      named.slice(-2).map((row) => row.slice(2)),
      [
        ['agent', 'Yes.', "'=Ada"],
        ['system', 'Ada Okafor is now handling the conversation.', 'Ada Okafor'],
      ],
    );
  });

  it('returns JSON with all fields of the conversation and its messages', async () => {
    const { get, client, own, visitor, path, conversationId } = await build();
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    const { headers, text } = await get('?format=json');
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(
      headers.get('content-disposition'),
      `attachment; filename="conversation-${conversationId}.json"`,
    );
    const { messages, referrer, total_input_tokens, total_output_tokens, ...conversation } = (
      await client.get(own)
    ).body;
    assert.deepEqual(JSON.parse(text), { conversation, messages });
  });

  it('indents each line of a message, whatever its line break, and trims the end', async () => {
    const { say, get } = await build();
    const breaks = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
    const content = `  a \t${breaks.map((each) => `${each}${each} b${each}\u00a0${each}c  `).join('')}`;
    await say('user', content);
    await say('assistant', '\n'.repeat(40_000));
    await say('agent', `${' '.repeat(40_000)}d`);
    const paragraph = '\n\n     b\n\n    c';
    assert.equal(
      (await get()).text.replace(/^.*?Visitor\n/s, ''),
      `      a${paragraph.repeat(8)}

[2026-09-03T10:15:01.000Z] Assistant
${'\n'.repeat(40_000)}

[2026-09-03T10:15:02.000Z] Team
${' '.repeat(40_004)}d
`,
    );
  });

  itInSoak('blocks the event loop for less than 50 ms with forty answers of maximum length', async () => {
    const { say, client, own } = await build();
    for (const unit of ['\n', ';=', '\u0001']) {
      for (let count = 0; count < 40; count += 1) await say('assistant', unit.repeat(262_100 / unit.length));
    }
    for (const format of ['txt', 'csv', 'json'])
      await assertLoopBlockedBelow(
        50,
        async () => {
          // Pass a signal, so that the client streams the response's body. Reading the body as one text would
          // cost this process more than the response.
          const { signal } = new AbortController();
          const response = await client.fetch(`${own}/transcript?format=${format}`, { signal });
          for await (const _piece of response.body!);
        },
        format,
      );
  });

  it('returns the type in Accept, unless a format is named', async () => {
    const { get } = await build();
    const readType = async (query: string, accept: string) =>
      (await get(query, { accept })).headers.get('content-type')?.split(';')[0];
    assert.equal(await readType('', 'application/json'), 'application/json');
    assert.equal(await readType('', 'text/csv;q=0.9, text/plain;q=0.1'), 'text/csv');
    assert.equal(await readType('?format=txt', 'application/json'), 'text/plain');
    assert.equal((await get('', { accept: 'image/png' })).status, 406);
    assert.equal((await get('?format=pdf')).status, 422);
  });

  itInSoak('returns all messages of a long conversation in order, without unfinished messages', async () => {
    const { get, orgId, conversationId } = await build();
    await parley.database.sql(
      `INSERT INTO messages (id, org_id, conversation_id, role, content, state, created_at)
       SELECT gen_random_uuid(), $1, $2, 'user', n::text, CASE n WHEN 7 THEN 'generating' ELSE 'complete' END,
              now() + (n / 3) * interval '1 ms'
       FROM generate_series(1, 1001) n`,
      [orgId, conversationId],
    );
    const { messages } = JSON.parse((await get('?format=json')).text) as {
      messages: { content: string; created_at: string }[];
    };
    assert.equal(messages.length, 1000);
    assert.equal(new Set(messages.map(({ content }) => content)).size, 1000);
    assert.deepEqual(
      messages.map(({ created_at: time }) => time),
      messages.map(({ created_at: time }) => time).toSorted(),
    );
    assert.ok(!messages.some(({ content }) => content === '7'));
  });

  it('returns no body to HEAD', async () => {
    const { client, own } = await build();
    const response = await client.fetch(`${own}/transcript`, { method: 'HEAD' });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/);
    assert.equal(await response.text(), '');
  });
});
