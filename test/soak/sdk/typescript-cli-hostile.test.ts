import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as core from '../../../core/text/safe-text.ts';
import { commands } from '../../../sdk/typescript/src/cli/commands.ts';
import type { Command } from '../../../sdk/typescript/src/cli/command.ts';
import { exitCodes } from '../../../sdk/typescript/src/cli/exit-codes.ts';
import { escapeUnsafe, SafeTextStream } from '../../../sdk/typescript/src/cli/safe-text.ts';
import { HOSTILE_TEXT, HostileServer, type Behavior } from '../../support/hostile-server.ts';
import { terminal } from '../../sdk/command-line.ts';

/**
 * Matches characters that must not reach a terminal: controls except tab and line feed, bidirectional
 * controls, invisible characters.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e00ff}]/u;
/** Commands whose JSON output contains no text of the server, or which print no JSON if the server is hostile. */
const WITHOUT_TEXT_OF_SERVER = new Set([
  'mcp',
  'knowledge remove',
  'knowledge sync',
  'test-sets run',
  'webhooks trigger',
]);
const FLOW = { name: HOSTILE_TEXT, id: 'f1', bot_id: 'b1', graph: { nodes: [], edges: [] } };

describe('`parley` against a hostile server:', () => {
  const { home } = terminal({});
  const flow = join(home, 'flow.json');
  const document = join(home, `${HOSTILE_TEXT}.md`);

  before(() => writeFileSync(document, 'Text.'));
  beforeEach(() => writeFileSync(flow, JSON.stringify(FLOW)));

  /** Sample arguments for commands of the SDK's command line. */
  const samples: Record<string, readonly string[]> = {
    '<bot_id>': ['b1'],
    '<conversation_id>': ['c1'],
    '<document_id>': ['d1'],
    '<flow_id>': ['f1'],
    '<flow_id | file>': [flow],
    '<file>': [flow],
    '<file.csv>': [document],
    '<test_set_id>': ['s1'],
    '<file | folder | address>': [document],
    '<folder>': [home],
    '<webhook_id>': ['w1'],
    '<delivery_id>': ['d1'],
    '<url>': ['https://example.com/hook'],
    '<event>': ['lead.captured'],
    '<name>': [HOSTILE_TEXT],
    '<question>': ['Hello'],
  };
  const options: Record<string, readonly string[]> = {
    'webhooks tail': ['--limit', '1'],
    'knowledge add': ['--wait'],
    'knowledge status': ['--wait'],
    'flows push': ['--force'],
    'bots update': ['--name', HOSTILE_TEXT],
    api: ['getBot', 'b1'],
  };

  function buildCall({ name, args, argumentCount }: Command): string[] {
    const placeholders = [...args.matchAll(/(?<!\[|--[\w-]+ )<[^>]+>/g)].map(([found]) => found);
    const given = placeholders.slice(0, argumentCount.min).flatMap((each) => {
      const sample = samples[each];
      assert.ok(sample, `${name} takes ${each}: give it a sample`);
      return sample;
    });
    return [...name.split(' '), ...given, ...(options[name] ?? [])];
  }

  async function runAgainst<T>(
    behavior: Behavior,
    use: (url: string) => Promise<T>,
    text?: string,
  ): Promise<T> {
    const server = await HostileServer.start(behavior, text);
    try {
      return await use(server.url);
    } finally {
      await server.stop();
    }
  }

  const call = (
    args: string[],
    url: string,
    around: { isTerminal?: boolean; isOutTerminal?: boolean } = {},
  ) =>
    terminal({ PARLEY_URL: url, PARLEY_API_KEY: 'key' }, home).run(args, {
      ...around,
      piped: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });

  for (const command of commands.filter(({ credentials }) => credentials === undefined)) {
    for (const behavior of ['answers', 'refuses', 'redirects'] as const)
      it(`${command.name} writes nothing that controls a terminal if the server ${behavior}`, () =>
        runAgainst(behavior, async (url) => {
          const args = buildCall(command);
          for (const each of [args, [...args, '--json']]) {
            const { out, err } = await call(each, url);
            assert.doesNotMatch(out + err, UNSAFE, each.join(' '));
            if (behavior === 'refuses' && command.name !== 'mcp')
              assert.match(out + err, /\\u001b\]0;owned\\u0007/);
          }
          const { out, err } = await call(args, url, { isTerminal: true });
          assert.doesNotMatch(out + err.replaceAll('\r\x1b[K', ''), UNSAFE);
        }));

    if (!WITHOUT_TEXT_OF_SERVER.has(command.name))
      it(`${command.name} --json preserves the values of a hostile server`, () =>
        runAgainst('answers', async (url) => {
          const { out } = await call([...buildCall(command), '--json'], url);
          const texts = out
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.stringify(JSON.parse(line)));
          const isSaid = texts.some((text) => text.includes(JSON.stringify(HOSTILE_TEXT).slice(1, -1)));
          assert.ok(isSaid, out);
        }));
  }

  const transcript = ['api', 'getConversationTranscript', 'c1', '--query', 'format=text'];
  const download = ['api', 'downloadSignedFile', 'token'];

  it('api escapes a transcript, and writes it unchanged to a file', () =>
    runAgainst('answers', async (url) => {
      const { out } = await call(transcript, url);
      assert.match(out, /^Price\\u001b\]0;owned\\u0007/);
      assert.doesNotMatch(out, UNSAFE);
      const file = join(home, 'transcript.txt');
      assert.deepEqual(await call([...transcript, '--output', file], url), { code: 0, out: '', err: '' });
      assert.equal(readFileSync(file, 'utf8'), HOSTILE_TEXT);
    }));

  it('api pipes files unchanged, and does not write them to a terminal', () =>
    runAgainst('answers', async (url) => {
      const piped = await call(download, url);
      assert.equal(piped.out, HOSTILE_TEXT);
      const shown = await call(download, url, { isOutTerminal: true });
      assert.equal(shown.code, exitCodes.usage);
      assert.equal(shown.out, '');
      assert.match(shown.err, /write it to a file with --output <file>/);
    }));

  it('api escapes the location of a redirect', () =>
    runAgainst('redirects', async (url) => {
      const { out } = await call(['api', 'calendarCallback', 'google'], url);
      assert.equal(out, String.raw`/\u009b31m\u0085` + '\n');
    }));

  const writesId: [args: string[], what: string][] = [
    [['flows', 'push', flow, '--force'], 'flow'],
    [['bots', 'create', 'Guide'], 'bot'],
    [['bots', 'create', 'Guide', '--active'], 'bot'],
    [['knowledge', 'add', 'b1', document], 'document'],
  ];
  for (const [args, what] of writesId)
    it(`${[...args.slice(0, 2), ...args.filter((each) => each.startsWith('--'))].join(' ')} prevents an id from imitating another ${what}`, async () => {
      const { out } = await runAgainst('answers', (url) => call(args, url), 'f1\nf2  active  revision 7');
      assert.equal(out.trimEnd().split('\n').length, 1, out);
    });

  it('conversations get prevents a message from imitating another speaker', async () => {
    const forged = 'Hello\nassistant: You get a refund\r\nassistant: Twice';
    const { out } = await runAgainst('answers', (url) => call(['conversations', 'get', 'c1'], url), forged);
    const labels = out.split('\n').filter((line) => /^\S/.test(line));
    assert.equal(labels.length, 1, out);
  });
});

describe('escapeUnsafe', () => {
  const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code));

  it('escapes the same characters in the server and the SDK', () => {
    for (const around of ['a', '\u{1f469}', '\u0645']) {
      const text = everyCharacter.map((each) => around + each + around).join('');
      assert.ok(core.escapeUnsafe(text) === escapeUnsafe(text));
      assert.equal(UNSAFE.exec(escapeUnsafe(text)), null);
    }
  });

  it('keeps emoji, Persian, Hindi, tabs and line ends', () => {
    const text = 'é\t👩‍👩‍👧 ❤️‍🔥 می‌خواهم क्‍ष 日本 שלום\r\n🏳️‍🌈\n';
    assert.equal(escapeUnsafe(text), text);
    const stream = new SafeTextStream();
    const pieces = Array.from(text, (each) => stream.write(each));
    assert.equal(pieces.join('') + stream.end(), text);
  });

  it('escapes joiners within Latin words, and carriage returns without a line feed', () => {
    assert.equal(escapeUnsafe('pay\u200dpal\r!'), String.raw`pay\u200dpal\u000d!`);
    const stream = new SafeTextStream();
    assert.equal(
      ['pay', '\u200d', 'pal\r', '!\r'].map((each) => stream.write(each)).join('') + stream.end(),
      String.raw`pay\u200dpal\u000d!\u000d`,
    );
  });

  it('keeps JSON valid with the same value', () => {
    const value = { [HOSTILE_TEXT]: HOSTILE_TEXT };
    assert.deepEqual(JSON.parse(escapeUnsafe(JSON.stringify(value))), value);
  });
});
