import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { parseGuideBlocks } from '../support/guides/guide-blocks.ts';
import { listSourceFiles } from '../support/source-files.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(projectRoot());
const strictly = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  paths: { 'parley-sdk': [join(root, 'sdk/typescript/src/index.ts')] },
};

/**
 * Name of the guide that imports a client from another generator. test/sdk/other-generators.test.ts compiles
 * its code.
 */
const WITH_GENERATED_CLIENT = 'other-languages';

/** Composes a TypeScript program from the code within the sentence about ETags in the guide about idempotency. */
function composeChange(): string {
  const guide = readFileSync('docs/guides/idempotency.md', 'utf8');
  const found = /read `(response[^`]+)` of `([^`]+)`, and make the change with `([^`]+)`/.exec(guide);
  const [, etag, read, change] = found ?? assert.fail('The guide has no code for ETags.');
  return `import { Parley } from 'parley-sdk';
const [parley, id, name] = [new Parley(), 'b1', 'Canal Boats'];
const { response } = ${read};
const etag = ${etag};
await ${change};
`;
}

describe('the TypeScript of the guides', () => {
  it('compiles strictly', () => {
    const folder = makeTemporaryFolder();
    let written = 0;
    for (const guide of ['docs/knowledge.md', ...listSourceFiles(['docs/guides'], /\.md$/)])
      for (const { language, title, code } of parseGuideBlocks(readFileSync(guide, 'utf8'))) {
        const name = basename(guide, '.md');
        if (language !== 'ts' || title === undefined || name === WITH_GENERATED_CLIENT) continue;
        const place = join(folder, name);
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, title), code);
        written += 1;
      }
    assert.ok(written >= 5);
    writeFileSync(join(folder, 'change.ts'), composeChange());
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictly }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    assert.equal(stdout, '');
  });
});
