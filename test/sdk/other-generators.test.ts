import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { parseGuideBlocks } from '../support/guides/guide-blocks.ts';
import { installNpmPackage } from '../support/npm-tool.ts';
import { isInSoak, itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley } from '../support/parley.ts';
import { findPythonWithTool } from '../support/python-sdk.ts';
import { installPythonPackage } from '../support/python-tool.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const GUIDE = readFileSync('docs/guides/other-languages.md', 'utf8');

/** Time limit in milliseconds, which includes the installation of the generators. */
const MAX_MS = 600_000;

describe('clients from other generators', function () {
  this.timeout(MAX_MS);

  it('from openapi-typescript compile strictly, omit fields with defaults, and read a stream', async function () {
    const [generator, fetcher] = ['openapi-typescript', 'openapi-fetch'].map((name) =>
      installNpmPackage(findPinned(name)),
    );
    if (generator === undefined || fetcher === undefined) return this.skip();
    const parley = await startSharedParley();
    const { key } = await parley.buildOrg();
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(fetcher, join(folder, 'node_modules/openapi-fetch'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'client.ts'), findBlock('client.ts'));
    const document = `${parley.baseUrl}/openapi.json`;
    await run(process.execPath, [join(generator, 'bin/cli.js'), document, '--output', 'parley.ts'], {
      cwd: folder,
    });
    const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', projectRoot()));
    const [, flags = ''] = /^npx tsc (.*) client\.ts$/m.exec(GUIDE)!;
    await run(process.execPath, [compiler, ...flags.split(' '), 'client.ts'], { cwd: folder });
    const env = { PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key };
    const { stdout } = await run(process.execPath, ['client.js'], { cwd: folder, env });
    assert.equal(stdout, 'Harbour Bikes 0.7\nassistant\n');
  });

  itInSoak('from openapi-python-client compile, have strict types, and read a stream', async function () {
    const generator = installPythonPackage(
      findPinned('openapi-python-client', '=='),
      'openapi_python_client.cli',
    );
    const checker = findPythonWithTool('mypy');
    if (generator === undefined || checker === undefined) return this.skip();
    const parley = await startSharedParley();
    const { key } = await parley.buildOrg();
    const folder = makeTemporaryFolder();
    for (const file of ['parley-client.yaml', 'client.py'])
      writeFileSync(join(folder, file), findBlock(file));
    const options = { cwd: folder };
    const document = `${parley.baseUrl}/openapi.json`;
    const generate = ['-m', 'openapi_python_client', 'generate', '--url', document];
    const { info } = (await (await fetch(document)).json()) as { info: Record<string, string> };
    assert.match(
      findBlock('parley-client.yaml'),
      new RegExp(`^package_version_override: ${info['x-package-version']}$`, 'm'),
    );
    const { stdout: warnings } = await run(
      generator,
      [...generate, '--config', 'parley-client.yaml'],
      options,
    );
    assert.deepEqual(warnings.trim().split('\n'), [`Generating ${join(folder, 'parley-client')}`]);
    await run(generator, ['-m', 'compileall', '-q', 'parley-client'], options);
    // Check the types only in soak: it takes longer than all other steps together.
    if (isInSoak)
      await run(
        checker,
        ['-m', 'mypy', '--strict', '--no-incremental', '--python-executable', generator, 'client.py'],
        { ...options, env: { ...process.env, MYPYPATH: 'parley-client' } },
      );
    const env = { PYTHONPATH: 'parley-client', PARLEY_URL: parley.baseUrl, PARLEY_API_KEY: key };
    const { stdout } = await run(generator, ['client.py'], { ...options, env });
    assert.match(stdout, /^Harbour Bikes 0\.7\n./);
  });
});

/** Returns the code of a file that the guide shows. */
function findBlock(title: string): string {
  return parseGuideBlocks(GUIDE).find((block) => block.title === title)!.code;
}

/** Returns a package's name with the version that the guide names. */
function findPinned(name: string, separator = '@'): string {
  return new RegExp(`\\b${name}${separator}[\\d.]+`).exec(GUIDE)![0];
}
