import assert from 'node:assert/strict';
import { nameForVisitors } from '../../core/conversations/name-for-visitors.ts';

describe('nameForVisitors', () => {
  it('returns the first part of a name, and any abbreviations before it', () => {
    const names = [
      'Ana Lima',
      ' Ana\tLima',
      'Dr. Ana Lima',
      'J. R. R. Tolkien',
      '李小龍',
      'Ana',
      'Ana L.',
      'A.',
    ];
    assert.deepEqual(names.map(nameForVisitors), [
      'Ana',
      'Ana',
      'Dr. Ana',
      'J. R. R. Tolkien',
      '李小龍',
      'Ana',
      'Ana',
      'A.',
    ]);
  });

  it('returns null without a name', () => {
    assert.deepEqual([null, '', '  '].map(nameForVisitors), [null, null, null]);
  });
});
