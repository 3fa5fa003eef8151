import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveTemporalBinary } from '../../scripts/launcher/temporal-binary.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('the temporal program', () => {
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

  function resolve(variables: Record<string, string> = {}): Promise<string> {
    return resolveTemporalBinary({
      home: join(folder, 'home'),
      env: {
        PATH: `${dirname(onPath)}:/no/such/folder`,
        XDG_CACHE_HOME: join(folder, 'cache'),
        ...variables,
      },
      report: (line) => assert.fail(line),
    });
  }

  it('is taken from the user’s cache, or else from PARLEY_HOME, or else from the PATH', async () => {
    for (const file of [inCache, inHome, onPath]) {
      place(file);
      assert.equal(await resolve(), file);
    }
  });

  it('is taken from PARLEY_TEMPORAL_BINARY before all other places', async () => {
    const named = join(folder, 'named');
    place(named);
    assert.equal(await resolve({ PARLEY_TEMPORAL_BINARY: named }), named);
    assert.equal(await resolve({ PARLEY_TEMPORAL_BINARY: '' }), onPath);
  });

  it('is refused with a message if PARLEY_TEMPORAL_BINARY names a program that fails', async () => {
    const broken = join(folder, 'broken');
    place(broken, '#!/bin/sh\nexit 1\n');
    for (const named of [broken, join(folder, 'missing'), folder]) {
      await assert.rejects(resolve({ PARLEY_TEMPORAL_BINARY: named }), {
        name: 'LaunchError',
        message:
          `PARLEY_TEMPORAL_BINARY names ${named}, which is not a working Temporal CLI. ` +
          'Set the full path of the `temporal` program (https://docs.temporal.io/cli), or unset the variable.',
      });
    }
  });

  it('is skipped if it cannot run', async () => {
    place(onPath, '#!/bin/sh\nexit 1\n');
    chmodSync(inHome, 0o644);
    assert.equal(await resolve(), inCache);
  });
});
