import assert from 'node:assert/strict';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

describe('paths that end with a name that every JavaScript object has', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'toString.js'])
    it(`return 404 for ${name}`, async () => {
      for (const folder of [
        '',
        '/docs',
        '/docs/guides',
        '/docs/pages',
        '/errors',
        '/widget',
        '/api',
        '/api/meta/errors',
      ]) {
        const { status } = await fetch(`${parley.baseUrl}${folder}/${name}`);
        assert.equal(status, 404, folder);
      }
    });
});
