import assert from 'node:assert/strict';
import { parsePageAddress, parseWebAddress } from '../../core/text/page-address.ts';

const SCRIPTS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'view-source:javascript:1',
  'feed:javascript:1',
  'blob:https://a.example/1',
];

describe('parseWebAddress', () => {
  for (const address of [...SCRIPTS, 'file:///etc/passwd', '/prices', '//a.example', '', null])
    it(`returns null for ${JSON.stringify(address)}`, () => assert.equal(parseWebAddress(address), null));

  for (const address of [
    'https://a.example/prices#day',
    'http://a.example',
    'HTTPS://a.example/?q=javascript:1',
  ])
    it(`returns ${address} unchanged`, () => assert.equal(parseWebAddress(address), address));
});

describe('parsePageAddress', () => {
  for (const address of [...SCRIPTS, undefined])
    it(`returns null for ${JSON.stringify(address)}`, () => assert.equal(parsePageAddress(address), null));

  for (const address of [
    'https://a.example/prices',
    'capacitor://localhost/help',
    'file:///index.html',
    '/prices',
  ])
    it(`returns ${address} unchanged`, () => assert.equal(parsePageAddress(address), address));
});
