import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { runCommandLine } from '../../scripts/cli/command-line.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { buildArchive } from './support.ts';

const BOT = { id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b', name: 'Guide' };

describe('npm run parley -- archive verify', () => {
  const folder = makeTemporaryFolder();

  async function parley(...args: string[]) {
    const [said, complained]: string[][] = [[], []];
    const code = await runCommandLine(['archive', ...args], {
      env: {},
      report: (line) => void said!.push(line),
      reportError: (line) => void complained!.push(line),
    });
    return { code, said, complained };
  }

  function saveArchive(content: Uint8Array): string {
    const path = join(folder, 'archive.tar.gz');
    writeFileSync(path, content);
    return path;
  }

  it('reports a valid archive', async () => {
    const said = ['The archive is valid: 1 records.'];
    assert.deepEqual(await parley('verify', saveArchive(buildArchive({ bots: [BOT] }))), {
      code: 0,
      said,
      complained: [],
    });
  });

  it('names invalid records and their positions', async () => {
    const path = saveArchive(buildArchive({ bots: [BOT, { id: BOT.id }] }));
    assert.deepEqual(await parley('verify', path), {
      code: 1,
      said: [
        'bots-00001.jsonl, line 2: name is required.',
        'The archive is complete, but 1 of its records and their conversations cannot be imported.',
      ],
      complained: [],
    });
  });

  it('accepts a message with an id of another conversation, as an import does', async () => {
    const messageId = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a2b';
    const at = '2026-06-01T10:00:00.000Z';
    const chats = [3, 4].flatMap((number) => {
      const id = `0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a${number}b`;
      const said = { type: 'message', id: messageId, conversation_id: id, role: 'user', content: 'Hello' };
      const chat = { type: 'conversation', id, bot_id: BOT.id, visitor_id: 'v', browser_id: id };
      return [chat, said].map((each) => ({ ...each, created_at: at }));
    });
    const { said } = await parley('verify', saveArchive(buildArchive({ bots: [BOT], conversations: chats })));
    assert.deepEqual(said, ['The archive is valid: 5 records.']);
  });

  itInSoak('refuses a file that is too large to be uploaded', async () => {
    const path = saveArchive(Buffer.alloc(archiveFormat.maxFileBytes + 1));
    assert.deepEqual((await parley('verify', path)).said, ['The archive is invalid: it exceeds 100 MB.']);
  });

  it('explains why an archive is refused, and what is missing', async () => {
    const path = saveArchive(buildArchive({ bots: [BOT] }).subarray(0, 100));
    const { code, said } = await parley('verify', path);
    assert.equal(code, 1);
    assert.match(said![0]!, /^The archive is invalid\. The archive is cut off/);
    assert.deepEqual((await parley('verify', '/nowhere')).complained, [
      'The file /nowhere does not exist or cannot be read.',
    ]);
    assert.deepEqual((await parley('verify', folder)).complained, [
      `The file ${folder} does not exist or cannot be read.`,
    ]);
    assert.deepEqual((await parley('look')).complained, ['Usage: archive verify <file>']);
  });
});
