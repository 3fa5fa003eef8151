import type Koa from 'koa';
import { loadConsoleFile } from './browser-files.ts';
import { CONSOLE_PAGE } from './browser-bundle.ts';
import { encodeContent, sendEncoded, type EncodedContent } from './encoded-content.ts';
import { ownScriptsPolicy } from './own-scripts-policy.ts';

/**
 * Matches the paths that serve the console's page: the pages of the console, account forms, the setup of the
 * first owner, and links in emails. Only the page's script reads the tokens in these links. File names
 * contain a dot; these paths contain none.
 */
const addresses =
  /^\/(console(\/[^/.]+)*|sign-in(\/[^/]+)?|register|welcome|forgot-password|reset-password|verify-email|device|invitations\/[^/]+)\/?$/;

let page: Promise<EncodedContent> | undefined;

/**
 * Serves the page of the console and of the account forms, and redirects / to it. Browsers keep a copy of the
 * page, and ask each time whether it is current. Returns whether the request was for this page.
 */
export async function serveConsolePage(koa: Koa.Context): Promise<boolean> {
  if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
  if (koa.path === '/') {
    koa.redirect('/console');
    return true;
  }
  if (!addresses.test(koa.path)) return false;
  const content = await (page ??= loadPage());
  koa.set({
    'Content-Security-Policy': ownScriptsPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  });
  koa.type = 'text/html; charset=utf-8';
  sendEncoded(koa, content);
  return true;
}

async function loadPage(): Promise<EncodedContent> {
  return encodeContent((await loadConsoleFile(CONSOLE_PAGE))!);
}
