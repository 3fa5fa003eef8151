import type Koa from 'koa';
import { ownScriptsPolicy } from './own-scripts-policy.ts';

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
  <meta name="color-scheme" content="light dark">
  <title>Parley</title>
  <link rel="icon" href="data:,">
  <script type="module" src="/console/console.js"></script>
</head>
<body>
  <div id="console"></div>
  <noscript>This page of Parley needs JavaScript.</noscript>
</body>
</html>
`;

/**
 * Paths that serve the console's page: the console itself, account forms, and links in mails. Tokens in these
 * links are only read by the page's script.
 */
const addresses =
  /^\/(console|sign-in(\/[^/]+)?|register|forgot-password|reset-password|verify-email|device|invitations\/[^/]+)\/?$/;

/**
 * Serves the page of the console and of the account forms, and redirects / to it. Returns whether the request
 * was for this page.
 */
export function serveConsolePage(koa: Koa.Context): boolean {
  if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
  if (koa.path === '/') {
    koa.redirect('/console');
    return true;
  }
  if (!addresses.test(koa.path)) return false;
  koa.set({ 'Content-Security-Policy': ownScriptsPolicy, 'Cross-Origin-Opener-Policy': 'same-origin' });
  koa.type = 'text/html; charset=utf-8';
  koa.body = page;
  return true;
}
