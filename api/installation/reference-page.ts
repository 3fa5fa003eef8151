import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type Koa from 'koa';

const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Parley API reference</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script type="module" src="/docs/reference.js"></script>
</body>
</html>
`;

/** Trial calls go to the address that the page was opened at, whatever the document says of the public one. */
const script = `const response = await fetch('/openapi.json');
const spec = await response.json();
SwaggerUIBundle({
  spec: { ...spec, servers: [{ url: window.location.origin }] },
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tagsSorter: 'alpha',
  validatorUrl: null,
});
`;

/** Serves the reference page at /docs from installed files alone; returns whether the request was for it. */
export function createReferencePage(): (koa: Koa.Context) => Promise<boolean> {
  const root = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return async (koa) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    if (koa.path !== '/docs' && !koa.path.startsWith('/docs/')) return false;
    const name = koa.path.slice('/docs/'.length);
    const type = assets[name];
    if (koa.path === '/docs') {
      koa.set(
        'Content-Security-Policy',
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
      );
      koa.type = 'text/html; charset=utf-8';
      koa.body = page;
    } else if (name === 'reference.js') {
      koa.type = 'text/javascript; charset=utf-8';
      koa.body = script;
    } else if (type !== undefined) {
      const file = path.join(root, name);
      koa.type = type;
      koa.length = (await stat(file)).size;
      koa.body = createReadStream(file);
    } else return false;
    return true;
  };
}
