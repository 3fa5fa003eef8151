import assert from 'node:assert/strict';
import { digestPage } from '../../adapters/web/page-digest.ts';

describe('digestPage', () => {
  it('uses the charset that a page declares in its head element', () => {
    const head = '<meta charset=iso-8859-2><title>';
    const title = Buffer.from([0xa3, 0xf3, 0x64, 0xbc]);
    const { title: read } = digestPage({
      body: Buffer.concat([Buffer.from(head), title]),
      contentType: 'text/html',
      url: 'https://www.acme.example/',
      robots: null,
    });
    assert.equal(read, 'Łódź');
  });
});
