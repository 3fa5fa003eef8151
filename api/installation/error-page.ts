import type Koa from 'koa';
import { errorCodes, type ErrorCode } from '../../core/errors/error-codes.ts';
import type { AppError } from '../../core/errors/errors.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { renderPage, sendPage } from '../../web/page.ts';

const LIST = '/errors';

export function presentErrorPage(code: ErrorCode) {
  const { status, title, help } = errorCodes[code];
  return { code, status, title, help };
}

export function renderErrorPage({ code, status, title, help }: ReturnType<typeof presentErrorPage>): string {
  return renderPage(
    `${code}: ${title}`,
    `<div class="card">
  <h1>${escapeHtml(title)}</h1>
  <p><code>${code}</code>, HTTP status ${status}</p>
  <p>${escapeHtml(help)}</p>
</div>
<p><a href="${LIST}">All error codes</a> · <a href="/docs/guides">Guides</a> · <a href="/docs">API reference</a></p>`,
  );
}

/**
 * Serves the list of all error codes, as a page or as JSON. Returns whether the request was for this list.
 */
export function serveErrorList(koa: Koa.Context): boolean {
  if (koa.path !== LIST || (koa.method !== 'GET' && koa.method !== 'HEAD')) return false;
  koa.vary('Accept');
  const codes = (Object.keys(errorCodes) as ErrorCode[]).map(presentErrorPage);
  if (koa.accepts('html', 'json') === 'json') {
    koa.type = 'application/json';
    koa.body = JSON.stringify(codes);
  } else sendPage(koa, renderErrorList(codes));
  return true;
}

function renderErrorList(codes: readonly ReturnType<typeof presentErrorPage>[]): string {
  const rows = codes.map(
    ({ code, status, title }) =>
      `<li><a href="${LIST}/${code}"><code>${code}</code></a> ${escapeHtml(title)} <span class="quiet">${status}</span></li>`,
  );
  return renderPage(
    'Error codes',
    `<h1>Error codes</h1>
<p>The error codes that the API returns, with their HTTP status.</p>
<ul class="card">
${rows.join('\n')}
</ul>
<p><a href="/docs/guides">Guides</a> · <a href="/docs">API reference</a></p>`,
  );
}

/** Matches request targets that a browser may open; paths below /api are for programs. */
const BROWSER_TARGET = /^\/(?!api(?:[/?]|$))/;

/** Returns whether a browser requested a page or sent a form. Works for requests with an invalid URL, too. */
export function isPageRequest(koa: Koa.Context): boolean {
  if (!['GET', 'HEAD', 'POST'].includes(koa.method)) return false;
  if (!BROWSER_TARGET.test(koa.req.url ?? '')) return false;
  return koa.get('Accept').includes('text/html') && koa.accepts('json', 'html') === 'html';
}

/** Renders an error as a web page, for requests of browsers. */
export function sendErrorPage(koa: Koa.Context, { code, title, message }: AppError, requestId: string): void {
  const html = renderPage(
    title,
    `<div class="card">
  <h1>${escapeHtml(title)}</h1>
  <p>${escapeHtml(message)}</p>
  <p class="quiet"><a href="${LIST}/${code}"><code>${code}</code></a> · request ${escapeHtml(requestId)}</p>
</div>
<p><a href="/console">Console</a> · <a href="/docs/guides">Guides</a> · <a href="/docs">API reference</a></p>`,
  );
  sendPage(koa, html);
}
