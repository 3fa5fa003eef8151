import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A manual in a package of Debian 12. Pages longer than `maxBytes` are omitted, so that a run takes minutes. */
interface Manual {
  name: string;
  package: string;
  version: string;
  sha256: string;
  folder: string;
  maxBytes: number;
  isOmitted?: RegExp;
}

const HANDBOOK = {
  package: 'debian-handbook',
  version: '11.20220922',
  sha256: '3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa',
  maxBytes: 40_000,
  isOmitted: /^index\.html$/,
};

const manuals: readonly Manual[] = [
  {
    name: 'git',
    package: 'git-doc',
    version: '1:2.39.5-0+deb12u3',
    sha256: '3c89668a11053a6bafade3de1f611f4613db31e082af63f43d8c5b69ad8795ec',
    folder: 'usr/share/doc/git-doc',
    maxBytes: 30_000,
    isOmitted: /\//,
  },
  {
    name: 'borg',
    package: 'borgbackup-doc',
    version: '1.2.4-1',
    sha256: 'f7c621fde76d460f071e8c0803d62198101f1c86ef3430db158f2e789570dbda',
    folder: 'usr/share/doc/borgbackup/html',
    maxBytes: 60_000,
    isOmitted: /^(book|genindex|search|index)\.html$/,
  },
  {
    name: 'aptitude',
    package: 'aptitude-doc-en',
    version: '0.8.13-5',
    sha256: 'ba4864ca26464bbe06acd94dc4a79402eea5d7b2d3da943d6ecce3c752bc9e84',
    folder: 'usr/share/doc/aptitude/html/en',
    maxBytes: 60_000,
    isOmitted: /^index\.html$/,
  },
  { ...HANDBOOK, name: 'handbook-de', folder: 'usr/share/doc/debian-handbook/html/de-DE' },
  { ...HANDBOOK, name: 'handbook-fr', folder: 'usr/share/doc/debian-handbook/html/fr-FR' },
];

export interface Page {
  /** Name of a manual's page in `questions.json`: the manual and the file's path within it. */
  id: string;
  bytes: Buffer;
}

/**
 * Reads the pages of the manuals from their Debian packages.
 * @throws Error with instructions if a package cannot be downloaded
 */
export function readPages(): Page[] {
  const unpacked = mkdtempSync(join(tmpdir(), 'parley-corpus-'));
  try {
    for (const manual of manuals) unpack(manual, unpacked);
    return manuals.flatMap((manual) => readManualPages(manual, join(unpacked, manual.folder)));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function readManualPages({ name, maxBytes, isOmitted }: Manual, folder: string): Page[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && !isOmitted?.test(path))
    .filter((path) => statSync(join(folder, path)).size <= maxBytes)
    .sort()
    .map((path) => ({ id: `${name}/${path}`, bytes: readFileSync(join(folder, path)) }));
}

function unpack(manual: Manual, into: string): void {
  const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', fetchPackage(manual)], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', into, '--wildcards', `./${manual.folder}/*.html`], { input: tar });
}

/** Returns the file of the Debian package with the manual, from the cache or downloaded. */
function fetchPackage({ package: name, version, sha256 }: Manual): string {
  const cache = join(homedir(), '.cache/parley/corpus');
  const file = join(cache, `${name}_${version.replaceAll(':', '%3a')}_all.deb`);
  if (!existsSync(file)) download(`${name}=${version}`, cache, file);
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found === sha256) return file;
  throw new Error(`${file} has the digest ${found}, but ${sha256} is expected: remove it, and try again.`);
}

function download(pinned: string, folder: string, file: string): void {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('apt-get', ['download', pinned], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    throw new Error(
      `apt-get cannot download ${pinned}, of Debian 12 (bookworm). Get the package from snapshot.debian.org, and put it at ${file}.`,
      { cause: error },
    );
  }
}
