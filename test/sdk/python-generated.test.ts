import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describeApi } from '../../scripts/generate/sdk/api-description.ts';
import { PYTHON_SDK, pythonSdk } from '../../scripts/generate/sdk/python.ts';
import { docstring, pythonName } from '../../scripts/generate/sdk/python-text.ts';
import { projectRoot } from '../../scripts/launcher/project-root.ts';

describe('The generated part of the Python SDK', () => {
  it('is what `npm run generate` makes of the present operations', () => {
    const folder = new URL(PYTHON_SDK, projectRoot());
    const generated = pythonSdk(describeApi());
    const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.py'),
    );
    assert.deepEqual(modules.sort(), Object.keys(generated).sort());
    for (const [name, text] of Object.entries(generated))
      assert.equal(readFileSync(new URL(name, folder), 'utf8'), text, name);
  });

  it('has names that Python takes', () => {
    const names = ['getStatus', 'try', 'from', 'api_key', 'import', 'Stripe-Signature'];
    assert.deepEqual(names.map(pythonName), [
      'get_status',
      'try_',
      'from_',
      'api_key',
      'import_',
      'stripe_signature',
    ]);
  });

  it('has docstrings that end where they should, whatever is written in them', () => {
    assert.deepEqual(docstring(['Says "hello"'], 0), ['"""Says "hello"', '"""']);
    assert.deepEqual(docstring(['A \\ and """'], 0), ['"""A \\\\ and \\"\\"\\"', '"""']);
    assert.deepEqual(docstring(['', ''], 0), []);
    assert.deepEqual(docstring([`${'word '.repeat(30)}end`, ':param a: b'], 0), [
      `"""${'word '.repeat(20).trim()}`,
      `${'word '.repeat(10)}end`,
      '',
      ':param a: b',
      '"""',
    ]);
  });
});
