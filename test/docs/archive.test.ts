import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TObject } from '@sinclair/typebox';
import type { ArchiveManifest } from '../../core/archive/archive-manifest.ts';
import {
  BotRecord,
  ContactRecord,
  ConversationRecord,
  MessageRecord,
} from '../../services/archive/archive-records.ts';
import { verifyArchive } from '../../services/archive/imports/verify-archive.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { toArchiveStream } from '../archive/support.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const page = readFileSync(new URL('docs/archive.md', projectRoot()), 'utf8');

/** Returns the JSON examples of a kind of record on the page docs/archive.md, in order. */
function findExamples(kind: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`json ${kind}\n(.*?)\`\`\``, 'gs'))].map(([, json]) => json!);
}

/** Returns the field names that docs/archive.md lists for a kind of record in its table. */
function findFields(record: string): string[] {
  const row = page.split('\n').find((line) => line.startsWith(`| ${record} `))!;
  return [...row.replaceAll(/\(each[^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

describe('docs/archive.md', () => {
  it('has an example that GNU tar packs, and an import accepts', async () => {
    const folder = makeTemporaryFolder();
    const manifest = JSON.parse(findExamples('manifest')[0]!) as ArchiveManifest;
    for (const file of manifest.files) {
      const records = findExamples(file.name.split('-')[0]!).map((json) => JSON.parse(json) as object);
      const content = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      assert.deepEqual([file.name, file.bytes, file.records], [file.name, content.length, records.length]);
      file.sha256 = createHash('sha256').update(content).digest('hex');
      writeFileSync(join(folder, file.name), content);
    }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const names = ['manifest.json', ...manifest.files.map(({ name }) => name)];
    const packed = execFileSync('tar', ['--format=ustar', '-cz', ...names], { cwd: folder });
    assert.deepEqual(await verifyArchive(toArchiveStream(packed)), {
      records: 6,
      faults: [],
      faultsTotal: 0,
    });
  });

  it('names the required and the optional fields of records', () => {
    const schemas: Record<string, TObject> = {
      bot: BotRecord,
      contact: ContactRecord,
      conversation: ConversationRecord,
      message: MessageRecord,
    };
    for (const [record, { properties }] of Object.entries(schemas))
      assert.deepEqual(findFields(record).toSorted(), Object.keys(properties).toSorted(), record);
  });
});
