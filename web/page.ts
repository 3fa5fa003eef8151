import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { escapeHtml } from '../core/text/escape-html.ts';
import type { Language } from '../core/languages.ts';

/** Style sheet of the pages that the server renders without scripts, in the colors of the console. */
const style = `:root { color-scheme: light dark; --background: #f5f6f8; --surface: #fff; --border: #d4d8e0; --text: #1a1f2b; --quiet: #5a6373; --accent: #1d4fbf }
@media (prefers-color-scheme: dark) { :root { --background: #12151c; --surface: #1b2029; --border: #39414f; --text: #e8ebf1; --quiet: #a3adbd; --accent: #8fb4ff } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--background); color: var(--text); overflow-wrap: anywhere }
header { padding: .6rem 1rem; border-bottom: 1px solid var(--border); background: var(--surface) }
header a { color: inherit; font-weight: 700; text-decoration: none }
main { max-width: 50rem; margin: 1.5rem auto; padding: 0 1rem }
ul.card { padding-left: 2.2rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem }
a { color: var(--accent) }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
.card { padding: 1rem; border: 1px solid var(--border); border-radius: 8px; background: var(--surface) }
.card > :first-child { margin-top: 0 } .card > :last-child { margin-bottom: 0 }
.quiet { color: var(--quiet) }
button { padding: .4rem .9rem; border: 1px solid var(--accent); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; cursor: pointer }
input { max-width: 100%; font: inherit }
iframe { width: 100%; height: 32rem; border: 1px solid var(--border); background: #fff }
pre { white-space: pre-wrap; border: 1px solid var(--border); padding: 1rem }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }`;

/** Content security policy of a page that uses only this style sheet, runs no scripts and loads nothing. */
export const pagePolicy = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/**
 * Content security policy of a page with forms. Like `pagePolicy`, but it allows forms to be sent to this
 * server.
 */
export const formPolicy = pagePolicy.replace("form-action 'none'", "form-action 'self'");

/**
 * Renders an HTML page without scripts.
 * @param body content of the page as HTML
 * @param linksToConsole whether the page is for the team and therefore links to the console
 */
export function renderPage(
  title: string,
  body: string,
  { language = 'en' as Language, linksToConsole = true } = {},
): string {
  return `<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,">
  <style>${style}</style>
</head>
<body>
${linksToConsole ? '<header><a href="/console">Parley</a></header>\n' : ''}<main>
${body}
</main>
</body>
</html>
`;
}

export function sendPage(koa: Koa.Context, html: string): void {
  koa.set('Content-Security-Policy', pagePolicy);
  koa.type = 'text/html; charset=utf-8';
  koa.body = html;
}

const withSlash = /^\/(docs(\/(settings|guides(\/[\w-]+)?|pages\/[\w-]+))?|demo|errors(\/[a-z_]+)?)\/$/;

/** Redirects a URL with a superfluous slash at its end to the page's URL. Returns whether it redirected. */
export function redirectSlash(koa: Koa.Context): boolean {
  if ((koa.method !== 'GET' && koa.method !== 'HEAD') || !withSlash.test(koa.path)) return false;
  koa.redirect(koa.path.slice(0, -1));
  return true;
}
