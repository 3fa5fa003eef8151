import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { describeApi } from '../../scripts/generate/sdk/api-description.ts';
import { PYTHON_SDK, generatePythonSdk } from '../../scripts/generate/sdk/python.ts';
import { TYPESCRIPT_SDK, generateTypescriptSdk } from '../../scripts/generate/sdk/typescript.ts';

const sdks = {
  TypeScript: [TYPESCRIPT_SDK, generateTypescriptSdk],
  Python: [PYTHON_SDK, generatePythonSdk],
} as const;

describe('generated code of the SDKs', () => {
  for (const [language, [path, generate]] of Object.entries(sdks))
    it(`matches the operations, in ${language}: \`npm run generate\` was run`, () => {
      const folder = new URL(path, projectRoot());
      const files = generate(describeApi());
      assert.deepEqual(listFiles(folder), Object.keys(files).sort());
      for (const [name, text] of Object.entries(files))
        assert.ok(readFileSync(new URL(name, folder), 'utf8') === text, `${name} is stale`);
    });
});

function listFiles(folder: URL): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map(({ parentPath, name }) => relative(fileURLToPath(folder), join(parentPath, name)))
    .sort();
}
