import assert from 'node:assert/strict';
import { renderDocstring, renderImports, pythonName } from '../../scripts/generate/sdk/python-text.ts';

describe('generated Python code', () => {
  it('has valid Python names', () => {
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

  it('has docstrings that end in the right place, whatever their text', () => {
    assert.deepEqual(renderDocstring(['Says "hello"'], 0), ['"""Says "hello"', '"""']);
    assert.deepEqual(renderDocstring(['A \\ and """'], 0), ['"""A \\\\ and \\"\\"\\"', '"""']);
    assert.deepEqual(renderDocstring(['', ''], 0), []);
    assert.deepEqual(renderDocstring([`${'word '.repeat(30)}end`, ':param a: b'], 0), [
      `"""${'word '.repeat(20).trim()}`,
      `${'word '.repeat(10)}end`,
      '',
      ':param a: b',
      '"""',
    ]);
  });

  it('imports only names that the code uses, not names that occur in docstrings or string literals', () => {
    const code = [
      'def list() -> List[str]:',
      '    """A Dict of',
      '    Any."""',
      '    return json("Sequence")',
    ];
    assert.deepEqual(renderImports(code, { typing: ['Any', 'Dict', 'List', 'Sequence'], os: ['path'] }), [
      'from typing import List',
    ]);
  });
});
