import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { ArchiveRefused } from '../../adapters/archive/archive-refused.ts';
import { verifyArchive } from '../../services/archive/imports/verify-archive.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';
import { buildArchive, buildManifest, packArchive, toArchiveStream, type Entry } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

/** Longest time in milliseconds that reading an archive may block the event loop. */
const MAX_HELD_MS = 50;
const BOT = { id: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b', name: 'Guide' };
const file = (name: string, text: string | Buffer): Entry => ({ name, content: Buffer.from(text) });
const bots = file('bots-00001.jsonl', `${JSON.stringify(BOT)}\n`);
const whole = packArchive([buildManifest([bots]), bots]);
const setType =
  (type: string, linkName = '') =>
  (header: Buffer) => {
    header.write(type, 156, 'latin1');
    header.write(linkName, 157, 'latin1');
    sign(header);
  };

/** Writes the checksum into the header of a tar entry. */
function sign(header: Buffer): void {
  header.write(' '.repeat(8), 148, 'latin1');
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
}

function buildManifestNaming(files: readonly Entry[], changes: object): Entry {
  const { content } = buildManifest(files);
  const manifest = JSON.parse(Buffer.from(content).toString()) as { files: object[] };
  manifest.files = manifest.files.map((each) => ({ ...each, ...changes }));
  return file('manifest.json', JSON.stringify(manifest));
}

const buildManifestAt = (exportedAt: string) =>
  buildManifest([], {
    source: { workspace_id: BOT.id, workspace_name: 'Elsewhere', exported_at: exportedAt },
  });

const buildNested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}\n`;

/** Invalid archives, by their defect, with the error message. */
const cases: Record<string, [archive: Buffer, message: string]> = {
  'a file that is not gzip': [Buffer.from('PK\u0003\u0004 and so on'), 'The file is not a gzip file.'],
  'a gzip file that is not a tar file': [
    gzipSync(Buffer.alloc(2000, 'a')),
    'The gzip file does not contain a tar file in USTAR format.',
  ],
  'an empty file': [
    gzipSync(Buffer.alloc(0)),
    'The archive is cut off: the blocks of zeros that end a tar file are missing.',
  ],
  'another file before the manifest': [
    packArchive([bots, buildManifest([bots])]),
    'The first file of an archive must be manifest.json.',
  ],
  'a manifest that is not JSON': [
    packArchive([file('manifest.json', '{"format":')]),
    'manifest.json is not valid JSON in UTF-8.',
  ],
  'a manifest of another format': [
    packArchive([buildManifest([], { format: 'other-archive' })]),
    'manifest.json: format must be "parley-archive".',
  ],
  'a later version': [packArchive([buildManifest([], { version: 2 })]), 'manifest.json: version must be 1.'],
  'a manifest with an unknown field': [
    packArchive([buildManifest([], { secret: true })]),
    'manifest.json: secret is not a known field (known fields: format, version, source, filters, part, parts, counts, files).',
  ],
  'a path out of the folder': [
    packArchive([buildManifest([bots]), { ...bots, name: '../bots-00001.jsonl' }]),
    'The archive contains "../bots-00001.jsonl" where manifest.json lists bots-00001.jsonl.',
  ],
  'a manifest with a path out of the folder': [
    packArchive([buildManifestNaming([bots], { name: '../../etc/passwd' }), bots]),
    'manifest.json lists "../../etc/passwd", which is not a valid file name in an archive.',
  ],
  'a symbolic link': [
    packArchive([buildManifest([bots]), { ...bots, header: setType('2', '/etc/passwd') }]),
    '"bots-00001.jsonl" is not a regular file. An archive may contain only the files that its manifest lists, in USTAR format.',
  ],
  'a hard link': [
    packArchive([buildManifest([bots]), { ...bots, header: setType('1', 'manifest.json') }]),
    '"bots-00001.jsonl" is not a regular file. An archive may contain only the files that its manifest lists, in USTAR format.',
  ],
  'a header that extends the next one': [
    packArchive([
      buildManifest([bots]),
      { ...file('././@PaxHeader', '20 size=99999999999\n'), header: setType('x') },
      bots,
    ]),
    '"././@PaxHeader" is not a regular file. An archive may contain only the files that its manifest lists, in USTAR format.',
  ],
  'a file that the manifest does not name': [
    packArchive([buildManifest([bots]), bots, file('notes.txt', 'Hello')]),
    'The archive contains "notes.txt", which manifest.json does not list.',
  ],
  'a file twice': [
    packArchive([buildManifest([bots]), bots, bots]),
    'The archive contains "bots-00001.jsonl", which manifest.json does not list.',
  ],
  'a file that is named twice': [
    packArchive([buildManifest([bots, bots]), bots, bots]),
    'manifest.json lists "bots-00001.jsonl" twice.',
  ],
  'files in another order': [
    packArchive([buildManifest([{ ...bots, name: 'contacts-00001.jsonl' }, bots]), bots]),
    'manifest.json lists "bots-00001.jsonl" in the wrong place: bots come first, then contacts, then conversations.',
  ],
  'a missing file': [
    packArchive([buildManifest([bots])]),
    'bots-00001.jsonl is missing: the archive ends before it.',
  ],
  'a size that differs from the manifest': [
    packArchive([buildManifestNaming([bots], { bytes: 3 }), bots]),
    'bots-00001.jsonl has 61 bytes; manifest.json lists 3.',
  ],
  'a wrong size in manifest and file': [
    packArchive([
      buildManifestNaming([bots], { bytes: 1_000_000 }),
      {
        ...bots,
        header: (header) => {
          header.write(`${(1_000_000).toString(8).padStart(11, '0')}\0`, 124, 'latin1');
          sign(header);
        },
      },
    ]),
    'The archive is cut off in the middle of bots-00001.jsonl.',
  ],
  'content that differs from the manifest': [
    packArchive([
      buildManifest([bots]),
      file(bots.name, Buffer.from(bots.content).toString().replace('Guide', 'Gride')),
    ]),
    'bots-00001.jsonl does not match manifest.json: its SHA-256 differs.',
  ],
  'another number of records': [
    packArchive([buildManifestNaming([bots], { records: 2 }), bots]),
    'bots-00001.jsonl has 1 records; manifest.json lists 2.',
  ],
  'more records than the manifest lists': [
    packArchive([buildManifestNaming([bots], { records: 0 }), bots]),
    'bots-00001.jsonl has more than the 0 records that manifest.json lists.',
  ],
  'more bots than an archive may have': [
    packArchive([buildManifestNaming([bots], { records: 60_005 }), bots]),
    'An archive has at most 1,000 bots; manifest.json lists 60,005. Export fewer bots into each archive.',
  ],
  'bytes that are not UTF-8': refusedLine(Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'is not UTF-8'),
  'a line that is nested too deeply': refusedLine(buildNested(17), 'nests deeper than 16 levels'),
  'a line that is too long': refusedLine(`"${'a'.repeat(1024 * 1024)}"\n`, 'is longer than 1 MB'),
  'more than 1,000 blank lines': refusedShortLines('\n'),
  'more than 1,000 lines that are too short for a record': refusedShortLines('{"type":"message"}\n'),
  'a truncated archive': [
    whole.subarray(0, whole.length - 30),
    'The archive is cut off after 1.5 KB of content.',
  ],
  'damaged bytes': [
    Buffer.concat([whole.subarray(0, 40), Buffer.alloc(40, 0xff), whole.subarray(80)]),
    'The archive is damaged: it cannot be unpacked beyond the first 0 bytes of content.',
  ],
  'uncompressed data after its end': [
    Buffer.concat([whole, Buffer.from('and so on')]),
    'The archive is damaged: it cannot be unpacked beyond the first 0 bytes of content.',
  ],
  'an impossible date in its manifest': [
    packArchive([buildManifestAt('2026-02-30T12:00:00.000Z')]),
    'manifest.json: source.exported_at must be a date and time such as 2026-09-03T10:15:30Z.',
  ],
  'another date format in its manifest': [
    packArchive([buildManifestAt('Nov 2026')]),
    'manifest.json: source.exported_at must be a date and time such as 2026-09-03T10:15:30Z.',
  ],
  'data after its end': [
    packArchive([buildManifest([bots]), bots], Buffer.concat([Buffer.alloc(1024), Buffer.alloc(512, 'x')])),
    'The archive contains data after its end.',
  ],
  'a bomb of zeros': [
    gzipSync(Buffer.alloc(40 * 1024 * 1024)),
    'The first file of an archive must be manifest.json.',
  ],
  'a bomb in a file': refusedBomb(),
};

function refusedLine(line: string | Buffer, what: string): [Buffer, string] {
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(BOT)}\n`), Buffer.from(line)]);
  const entry = { name: 'conversations-00001.jsonl', content };
  return [
    packArchive([buildManifestNaming([entry], { records: 2 }), entry]),
    `conversations-00001.jsonl, line 2, ${what}.`,
  ];
}

/**
 * Builds an archive of a conversation and 3,000 short lines, of which the 1,001st is refused; returns it with the
 * error message.
 */
function refusedShortLines(line: string): [Buffer, string] {
  const first = Buffer.from(`${JSON.stringify(BOT)}\n`);
  const entry = {
    name: 'conversations-00001.jsonl',
    content: Buffer.concat([first, Buffer.from(line.repeat(3000))]),
  };
  return [
    packArchive([buildManifestNaming([entry], { records: 3001 }), entry]),
    'conversations-00001.jsonl, line 1002, is too short for a record, and so are 1000 lines before it.',
  ];
}

/**
 * Builds an archive with lines of 30 MB in all, which gzip compresses to a thousandth; returns it with the
 * error message.
 */
function refusedBomb(): [Buffer, string] {
  const content = Buffer.from(`"${' '.repeat(1000)}"\n`.repeat(30_000));
  const entry = { name: 'conversations-00001.jsonl', content };
  return [
    packArchive([buildManifest([entry]), entry]),
    'The archive unpacks to more than 100 times its size.',
  ];
}

describe('importArchive of an invalid archive', () => {
  for (const [what, [archive, message]] of Object.entries(cases))
    it(`reports the defect and its position for ${what}`, async () => {
      await assert.rejects(verifyArchive(toArchiveStream(archive)), (error: unknown) => {
        assert.ok(error instanceof ArchiveRefused, String(error));
        assert.equal(error.message, message);
        return true;
      });
    });

  const tooMuch = 'manifest.json has too many keys or files.';
  const joinNumbered = (text: (index: number) => string) =>
    Array.from({ length: 80_000 }, (_, at) => text(at)).join(',');
  for (const [what, manifest] of [
    ['keys', `{${joinNumbered((at) => `"k${at}":1`)}}`],
    ['objects', `[${joinNumbered(() => '{}')}]`],
    ['objects of one key each', `[${joinNumbered((at) => `{"${at}":1}`)}]`],
  ] as const)
    itInSoak(`refuses a manifest of too many ${what} without parsing it`, async () => {
      const archive = packArchive([file('manifest.json', manifest)]);
      await assertLoopBlockedBelow(MAX_HELD_MS, () =>
        assert.rejects(verifyArchive(toArchiveStream(archive)), { name: 'ArchiveRefused', message: tooMuch }),
      );
    });

  it('reports a record of too many keys, and reads the other records', async () => {
    const heavy = JSON.stringify({
      ...BOT,
      [`x`]: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [at, 1])),
    });
    const two = file(bots.name, `${heavy}\n${JSON.stringify(BOT)}\n`);
    const { records, faults } = await verifyArchive(
      toArchiveStream(packArchive([buildManifestNaming([two], { records: 2 }), two])),
    );
    assert.equal(records, 2);
    assert.deepEqual(
      faults.map(({ message }) => message),
      ['bots-00001.jsonl, line 1: The record has more values or keys than allowed.'],
    );
  });

  it('yields to the event loop while it reads 100,000 invalid lines of one conversation', async () => {
    const line = (at: number) => `{"type":"message","id":"${String(at).padStart(36, '0')}"}\n`;
    const many = file(
      'conversations-00001.jsonl',
      Array.from({ length: 100_000 }, (_, at) => line(at)).join(''),
    );
    const archive = packArchive([buildManifestNaming([many], { records: 100_000 }), many]);
    await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
      assert.equal((await verifyArchive(toArchiveStream(archive))).faultsTotal, 1);
    });
  });

  it('accepts an archive that matches its manifest, however it is compressed', async () => {
    assert.deepEqual(await verifyArchive(toArchiveStream(whole)), { records: 1, faults: [], faultsTotal: 0 });
    const padded = packArchive([buildManifest([bots]), bots], Buffer.alloc(10_240));
    assert.deepEqual((await verifyArchive(toArchiveStream(padded))).records, 1);
    const deep = buildArchive({ conversations: [buildNested(16).trim()] });
    assert.deepEqual((await verifyArchive(toArchiveStream(deep))).faultsTotal, 1);
  });
});
