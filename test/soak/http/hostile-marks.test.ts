import assert from 'node:assert/strict';
import { buildGraph, buildNode } from '../../flows/graphs.ts';
import { buildFlowBot } from '../../flows/flow-visits.ts';
import { buildManifest, packArchive } from '../../archive/support.ts';
import { connectMcp } from '../../mcp/support.ts';
import { buildMultipartUpload } from '../../support/knowledge.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { buildMarksOfTwoClasses } from '../../support/strangers-texts.ts';

/** Longest time in milliseconds that one request may block the event loop. */
const MAX_HELD_MS = 50;

const MARKS = buildMarksOfTwoClasses(20_000);
/** Vowel signs that Unicode collation compares as one unit, so that it has to read far ahead. */
const VOWELS = '\u0f71\u0f72\u0f74';

describe('a request with many combining marks blocks the event loop only briefly', () => {
  let parley: SharedParley;
  let org: Awaited<ReturnType<typeof buildFlowBot>>;
  before(async () => {
    parley = await startSharedParley();
    const graph = buildGraph([buildNode('end', { message: 'Hello' })]);
    org = await buildFlowBot(parley, [{ graph, trigger: 'keyword:refund,money back' }], {
      rate_limit_per_minute: 1000,
      directory_config: {
        enabled: true,
        entries: Array.from({ length: 500 }, (_, at) => ({
          name: `a${VOWELS.repeat(48)}${at}`,
          category: `b${VOWELS.repeat(32)}`,
        })),
      },
    });
    await parley.database.sql('UPDATE bots SET indexed_chunk_count = 1 WHERE id = $1', [org.bot.id]);
  });

  const assertStatus = async (response: Promise<{ status: number }>, status: number) =>
    assert.equal((await response).status, status);

  it('as a message to a bot with flows and documents', async () => {
    const { say } = await org.visit();
    await assertLoopBlockedBelow(MAX_HELD_MS, () => say(MARKS));
  });

  const chooseInDirectory = () =>
    assertStatus(
      parley.client('').post(`/api/public/bots/${org.bot.public_key}/directory/resolve`, {
        choice: `a${VOWELS.repeat(49)}`.slice(0, 150),
        category: `b${[...VOWELS].reverse().join('').repeat(32)}`,
      }),
      404,
    );

  it('as a choice in a directory', () => assertLoopBlockedBelow(MAX_HELD_MS, chooseInDirectory));

  it('as a choice in a directory that 50 visitors send at once', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, () => Promise.all(Array.from({ length: 50 }, chooseInDirectory))));

  it('as a file name', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, async () => {
      const { headers, body } = buildMultipartUpload(
        `${MARKS.slice(0, 8000)}.txt`,
        Buffer.from('Opening hours'),
      );
      const { status } = await org.client.fetch(`/api/bots/${org.bot.id}/knowledge/upload`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      assert.equal(status, 201);
    }));

  it('as the text of a document', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, () =>
      org.client.post(`/api/bots/${org.bot.id}/knowledge`, {
        source_type: 'raw_text',
        title: MARKS.slice(0, 300),
        content: MARKS.repeat(10),
      }),
    ));

  it('as a question to search for', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, () =>
      org.client.post(`/api/bots/${org.bot.id}/knowledge/search`, { query: MARKS.slice(0, 4000) }),
    ));

  it('as a question from an MCP client', async () => {
    const mcp = await connectMcp(parley.baseUrl, org);
    const { tools } = await mcp.client.listTools();
    try {
      for (const { name, inputSchema } of tools) {
        const texts = Object.keys(inputSchema.properties ?? {}).filter((key) => !key.endsWith('_id'));
        const given = { bot_id: org.bot.id, ...Object.fromEntries(texts.map((key) => [key, MARKS])) };
        await assertLoopBlockedBelow(MAX_HELD_MS, () => mcp.call(name, given));
      }
    } finally {
      await mcp.close();
    }
  });

  it('as names and addresses of accounts and workspaces', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, async () => {
      const email = `${MARKS.slice(0, 60)}@${MARKS.slice(0, 60)}.${MARKS.slice(0, 60)}.example`;
      const password = MARKS.slice(0, 200);
      await parley.client('').post('/api/auth/register', { email, password, name: MARKS.slice(0, 100) });
      await parley.client('').post('/api/auth/login', { email, password });
    }));

  it('as the description for generateBot', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, () =>
      org.client.post('/api/bots/generate', { description: MARKS.slice(0, 4000), answers: [] }),
    ));

  it('as an archive', () =>
    assertLoopBlockedBelow(MAX_HELD_MS, async () => {
      const bot = { id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b', name: MARKS };
      const bots = { name: 'bots-00001.jsonl', content: Buffer.from(`${JSON.stringify(bot)}\n`) };
      const source = {
        workspace_id: bot.id,
        workspace_name: MARKS,
        exported_at: '2026-11-27T12:00:00.000Z',
      };
      const { headers, body } = buildMultipartUpload(
        `${MARKS.slice(0, 4000)}.tar.gz`,
        packArchive([buildManifest([bots], { source }), bots]),
      );
      const { status } = await org.client.fetch('/api/archive/import', {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      assert.ok(status < 500);
    }));
});
