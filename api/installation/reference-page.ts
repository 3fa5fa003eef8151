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
  <style>
    .samples { margin: 0 20px; font-family: sans-serif }
    .samples [role=tab] { padding: 8px 12px; border: 0; border-bottom: 3px solid transparent; background: none; color: inherit; font: inherit; cursor: pointer }
    .samples [aria-selected=true] { border-color: currentcolor; font-weight: 700 }
    .samples pre { margin: 0 0 16px; padding: 12px; overflow: auto; border-radius: 4px; background: #222; color: #eee; font: 13px/1.5 monospace }
    .samples :focus-visible { outline: 2px solid #4990e2 }
    .swagger-ui .opblock .opblock-summary-operation-id { flex: none; word-break: normal }
    @media (max-width: 640px) { .swagger-ui .opblock-summary-control { flex-wrap: wrap } .swagger-ui .opblock .opblock-summary-path-description-wrapper { flex: 1 0 60% } }
  </style>
</head>
<body>
  <p class="samples"><a href="/docs/guides">Guides</a></p>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script type="module" src="/docs/reference.js"></script>
</body>
</html>
`;

/**
 * Creates the handler of /docs, the API reference. It serves only installed files and loads nothing from
 * other hosts. The handler returns whether it served the request.
 */
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
    } else if (type !== undefined) {
      const file = path.join(root, name);
      koa.type = type;
      koa.length = (await stat(file)).size;
      koa.body = createReadStream(file);
    } else return false;
    return true;
  };
}
