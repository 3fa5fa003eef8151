import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createTarHeader, countPadding } from '../../adapters/archive/tar-header.ts';
import type { ArchiveManifest } from '../../core/archive/archive-manifest.ts';
import type { ArchiveJobRead } from '../../api/archive/archive.schemas.ts';
import type { ApiClient } from '../support/api-client.ts';
import { PATIENCE_MS, waitUntil } from '../support/wait-until.ts';

/** Requests an export of an archive, and waits until the export ends. */
export async function runExport(client: ApiClient, body: object = {}): Promise<ArchiveJobRead> {
  const { status, body: job } = await client.post('/api/archive/export', body);
  assert.equal(status, 202, JSON.stringify(job));
  return waitForJobEnd(client, job.id);
}

/** Uploads an archive, and waits until its import ends. */
export async function runImport(client: ApiClient, archive: Uint8Array): Promise<ArchiveJobRead> {
  const response = await upload(client, archive);
  const job = (await response.json()) as ArchiveJobRead;
  assert.equal(response.status, 202, JSON.stringify(job));
  return waitForJobEnd(client, job.id);
}

export function upload(client: ApiClient, archive: Uint8Array): Promise<Response> {
  const form = new FormData();
  form.set('file', new File([archive as Uint8Array<ArrayBuffer>], 'archive.tar.gz'));
  return client.fetch('/api/archive/import', { method: 'POST', body: form });
}

export async function waitForJobEnd(
  client: ApiClient,
  id: string,
  patienceMs = PATIENCE_MS,
): Promise<ArchiveJobRead> {
  let job: ArchiveJobRead | undefined;
  const hasEnded = async () => {
    job = (await client.get(`/api/archive/jobs/${id}`)).body;
    return job.status === 'completed' || job.status === 'failed';
  };
  await waitUntil(hasEnded, 'the job to end', patienceMs);
  return job!;
}

export async function downloadParts(client: ApiClient, { id, parts }: ArchiveJobRead): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (let part = 1; part <= parts; part += 1) {
    const { status, body } = await client.get(`/api/archive/jobs/${id}/download?part=${part}`);
    assert.equal(status, 200, JSON.stringify(body));
    const response = await client.fetch(new URL(body.url).pathname);
    assert.equal(response.headers.get('content-type'), 'application/gzip');
    files.push(Buffer.from(await response.arrayBuffer()));
  }
  return files;
}

/** Exports all conversations of a workspace into one archive. */
export async function exportToArchive(client: ApiClient, body: object = {}): Promise<Buffer> {
  const job = await runExport(client, body);
  assert.equal(job.status, 'completed', job.error_message ?? '');
  const [file] = await downloadParts(client, job);
  return file!;
}

/** Returns the files of an archive, by name, unpacked without Parley's reader. */
export function readArchiveFiles(archive: Uint8Array): Map<string, Buffer> {
  const tar = gunzipSync(archive);
  const files = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0 && at < tar.length;) {
    const name = tar.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    files.set(name, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

export function readArchiveManifest(archive: Uint8Array): ArchiveManifest {
  return JSON.parse(readArchiveFiles(archive).get('manifest.json')!.toString()) as ArchiveManifest;
}

export type AnyRecord = Record<string, unknown> & { id: string };

/** Returns all records of archives, by kind and id, so that a test can compare two archives. */
export function readArchiveRecords(...archives: readonly Uint8Array[]): Record<string, AnyRecord> {
  const records: Record<string, AnyRecord> = {};
  for (const archive of archives)
    for (const [name, content] of readArchiveFiles(archive)) {
      if (name === 'manifest.json') continue;
      for (const line of content.toString().split('\n').filter(Boolean)) {
        const record = JSON.parse(line) as AnyRecord;
        records[`${name.split('-')[0]} ${record.id}`] = record;
      }
    }
  return records;
}

export interface Entry {
  name: string;
  content: Uint8Array;
  /** Changes the generated tar header of the entry. */
  header?: (header: Buffer) => void;
}

/** Packs any entries into a compressed tar file. */
export function packArchive(entries: readonly Entry[], end = Buffer.alloc(1024)): Buffer {
  const blocks = entries.flatMap(({ name, content, header }) => {
    const head = createTarHeader({ name, sizeBytes: content.length }, new Date('2026-11-27T00:00:00Z'));
    header?.(head);
    return [head, Buffer.from(content), Buffer.alloc(countPadding(content.length))];
  });
  return gzipSync(Buffer.concat([...blocks, end]));
}

/** Builds a valid manifest of an archive with these files. */
export function buildManifest(files: readonly Entry[], changes: object = {}): Entry {
  const manifest = {
    format: 'parley-archive',
    version: 1,
    source: {
      workspace_id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
      workspace_name: 'Elsewhere',
      exported_at: '2026-11-27T12:00:00.000Z',
    },
    filters: { bot_ids: null, from: null, to: null, include_contacts: true },
    part: 1,
    parts: 1,
    counts: { bots: 0, contacts: 0, conversations: 0, messages: 0 },
    files: files.map(({ name, content }) => ({
      name,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      records: Buffer.from(content).toString('latin1').split('\n').filter(Boolean).length,
    })),
    ...changes,
  };
  return { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) };
}

/** Builds a valid archive of these lines. */
export function buildArchive(lines: {
  bots?: readonly object[];
  contacts?: readonly object[];
  conversations?: readonly (object | string)[];
}): Buffer {
  const files = (['bots', 'contacts', 'conversations'] as const).flatMap((kind) => {
    const records = lines[kind] ?? [];
    const text = records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
    return records.length === 0 ? [] : { name: `${kind}-00001.jsonl`, content: Buffer.from(`${text}\n`) };
  });
  return packArchive([buildManifest(files), ...files]);
}

export function toArchiveStream(archive: Uint8Array): Readable {
  const pieces = [];
  for (let at = 0; at < archive.length; at += 1000) pieces.push(Buffer.from(archive.subarray(at, at + 1000)));
  return Readable.from(pieces);
}
