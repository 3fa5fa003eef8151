import assert from 'node:assert/strict';
import { nameForVisitors } from '../../core/conversations/name-for-visitors.ts';

describe('nameForVisitors', () => {
  it('is the first part of a name, with what is abbreviated before it', () => {
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

  it('is none where there is none', () => {
    assert.deepEqual([null, '', '  '].map(nameForVisitors), [null, null, null]);
  });
});
