import assert from 'node:assert/strict';
import { diffSnapshots } from '../../console/bots/versions/diff-snapshots.ts';
import { nameField, nameResource } from '../../console/team/audit/audit-words.ts';

type Snapshot = Parameters<typeof diffSnapshots>[0];

describe('keys that each object inherits:', () => {
  for (const [key, name] of [
    ['__proto__', '  proto  '],
    ['constructor', 'Constructor'],
    ['toString', 'ToString'],
  ] as const) {
    const takeSnapshot = (value: string) =>
      JSON.parse(`{"widget_theme": {"${key}": "${value}"}, "${key}": "${value}"}`) as Snapshot;

    it(`diffSnapshots shows ${key} in a theme as its own name`, () => {
      const change = { name, kind: 'value', before: 'a', after: 'b' };
      assert.deepEqual(diffSnapshots(takeSnapshot('a'), takeSnapshot('b')), [
        { name: 'Appearance', kind: 'group', differences: [change] },
        change,
      ]);
    });

    it(`diffSnapshots reports ${key} as new if the earlier snapshot lacks it`, () => {
      const change = { name, kind: 'value', before: null, after: 'b' };
      assert.deepEqual(diffSnapshots({ widget_theme: {} } as Snapshot, takeSnapshot('b')), [
        { name: 'Appearance', kind: 'group', differences: [change] },
        change,
      ]);
    });

    it(`nameField and nameResource show ${key} as its own name`, () => {
      assert.deepEqual([nameField(key), nameResource(key)], [name, name]);
    });
  }
});
