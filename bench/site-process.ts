import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildProse } from './support/prose.ts';

const CHARACTERS = 12_000;
const FILE_BYTES = 1024 * 1024;

/**
 * A separate process that serves a business's website of five pages with a stylesheet, and a bucket of an
 * object store with one object. Prints the URL of the website.
 */
const names = ['about', 'pricing', 'faq', 'contact'];
const links = names.map((name) => `<a href="/${name}">${name}</a>`).join(' ');
const page = (title: string) => `<!doctype html><html lang="en"><head><title>${title}</title>
<link rel="stylesheet" href="/style.css"></head><body><nav>${links}</nav><h1>${title}</h1>
${buildProse(CHARACTERS)
  .split('\n\n')
  .map((paragraph) => `<p>${paragraph}</p>`)
  .join('\n')}</body></html>`;
const files = new Map([
  ['/', { type: 'text/html', body: page('Harbour Bikes') }],
  ...names.map((name) => [`/${name}`, { type: 'text/html', body: page(name) }] as const),
  ['/files/original', { type: 'application/octet-stream', body: 'x'.repeat(FILE_BYTES) }],
  ['/style.css', { type: 'text/css', body: ':root { --brand: #0a7d4f } a { color: #0a7d4f }' }],
]);
const server = createServer((request, response) => {
  const file = files.get((request.url ?? '/').split('?')[0]!);
  response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' });
  response.end(file?.body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
