import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('The temporal program', () => {
  const folder = makeTemporaryFolder();
  const onPath = join(folder, 'path', 'temporal');
  const inHome = join(folder, 'home', 'bin', 'temporal');
  const inCache = join(
    folder,
    'cache',
    'parley',
    `temporal-1.5.1-${process.platform}-${process.arch}`,
    'temporal',
  );

  after(() => rmSync(folder, { recursive: true, force: true }));

  function place(file: string, script = '#!/bin/sh\n'): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, script);
    chmodSync(file, 0o755);
  }

  function resolve(): Promise<string> {
    return resolveTemporalBinary({
      home: join(folder, 'home'),
      env: { PATH: `${dirname(onPath)}:/no/such/folder`, XDG_CACHE_HOME: join(folder, 'cache') },
      say: (line) => assert.fail(line),
    });
  }

  it('is the one in the user’s cache, rather that of PARLEY_HOME, rather that on the PATH', async () => {
    for (const file of [inCache, inHome, onPath]) {
      place(file);
      assert.equal(await resolve(), file);
    }
  });

  it('is passed over where it does not run', async () => {
    place(onPath, '#!/bin/sh\nexit 1\n');
    chmodSync(inHome, 0o644);
    assert.equal(await resolve(), inCache);
  });
});
