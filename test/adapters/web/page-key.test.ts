import assert from 'node:assert/strict';
import { buildPageKey, listSameAddresses } from '../../../adapters/web/page-key.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

describe('buildPageKey', () => {
  it('returns the same key for http and https, with and without www., with and without slashes at the end', () => {
    const keys = [
      'http://site.example/a',
      'https://www.site.example/a/',
      'https://site.example/a//#part',
    ].map(buildPageKey);
    assert.deepEqual([...new Set(keys)], ['site.example:/a']);
    assert.equal(buildPageKey('https://site.example'), 'site.example:');
    assert.equal(buildPageKey('https://site.example//a//b/?c=/'), 'site.example://a//b?c=/');
    assert.ok(listSameAddresses('http://site.example/a').includes('https://www.site.example/a/'));
  });

  itInSoak('takes less than 50 ms of CPU time for 500 paths of many slashes', () => {
    const address = `https://site.example/${'/'.repeat(1900)}a`;
    assertCpuBelow(50, () => {
      for (let at = 0; at < 500; at += 1) buildPageKey(address);
    });
  });
});
