import type Koa from 'koa';
import { escapeHtml } from '../../core/text/escape-html.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { BotService } from '../../services/bots/bot-service.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';

export const DEMO_PAGE = '/demo';

export interface DemoPageDeps {
  settings: Pick<Settings, 'demoPage' | 'baseUrl'>;
  database: Database;
  bots: Pick<BotService, 'findPublicBot'>;
}

/**
 * Content security policy of the demo page: only this server's widget and API, but images from any host,
 * since the bot's image may be elsewhere.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src http: https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const style = `:root { color-scheme: light dark; font: 17px/1.6 system-ui, sans-serif; background: light-dark(#f4f7fb, #12151c); color: light-dark(#1a1f2b, #e8ebf1) }
body { margin: 0 }
main { max-width: 40rem; margin: 0 auto; padding: 4rem 1.5rem 8rem }
@media (min-width: 800px) { main { max-width: min(40rem, 100vw - 32rem); margin-left: max(1rem, (100vw - 76rem) / 2) } }
h1 { font-size: 2.4rem; line-height: 1.15; margin: 0 0 .5rem }
.lead { font-size: 1.2rem; margin: 0 0 2.5rem }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem }
ol, ul { margin: 0; padding-left: 1.3rem }
li { margin: .4rem 0 }
a { color: light-dark(#1d4fbf, #8fb4ff) }
h1, p, li { overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; padding: .8rem 1rem; border-radius: 8px; background: light-dark(#e4eaf3, #242a35); font-size: .85rem }`;

/**
 * Creates the handler of /demo, a page that shows the widget of a bot. The query contains the bot's public
 * key. Without it, the page shows the newest active bot of the first workspace. The handler returns whether
 * it served the request.
 */
export function createDemoPage({ settings, database, bots }: DemoPageDeps) {
  return async (koa: Koa.Context): Promise<boolean> => {
    if (!settings.demoPage || koa.path !== DEMO_PAGE) return false;
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    const { bot: key } = parseQuery(koa);
    const bot = await bots.findPublicBot(database, typeof key === 'string' ? key : null);
    koa.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' });
    koa.type = 'text/html; charset=utf-8';
    koa.body = bot ? botPage(bot, settings.baseUrl) : emptyPage(key !== undefined);
    return true;
  };
}

function botPage(bot: Bot, baseUrl: string): string {
  const { name, description, starterQuestions: questions, handoffEnabled, publicKey, allowedDomains } = bot;
  const snippet = `<script src="${baseUrl}/widget.js" data-bot="${publicKey}" async></script>`;
  const steps = [
    `Open the chat at the bottom of this page${questions.length > 0 ? ' and ask one of these questions, or any other:' : ' and ask the bot a question.'}${renderList(questions)}`,
    ...(handoffEnabled
      ? ['Press <i>Talk to a human</i>, then reply as an agent in the <a href="/console#/inbox">console</a>.']
      : []),
    `View and change the bot’s settings and documents in the <a href="/console#/bots/${bot.id}">console</a>.`,
  ];
  return page(
    name,
    `<h1>${escapeHtml(name)}</h1>
<p class="lead">${escapeHtml(description ?? 'A page with the widget of this bot.')}</p>
<ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>
${allowedDomains === null ? '' : `<p>This bot runs on certain hosts only (<code>allowed_domains</code>): if this page’s host is not among them, the chat is not shown.</p>`}
<h2>On your own page</h2>
<p>This page belongs to Parley. To add the chat to another page, use this line:</p>
<pre>${escapeHtml(snippet)}</pre>
<script src="/widget.js" data-bot="${escapeHtml(publicKey)}" async></script>`,
  );
}

function emptyPage(isNamed: boolean): string {
  return page(
    'Parley',
    `<h1>${isNamed ? 'No such bot is active' : 'No bot is active yet'}</h1>
<p class="lead">Once a bot is active, this page shows its chat.</p>
<ul>
<li><code>npm run demo</code>, in another terminal, creates a bot for a bike rental service.</li>
<li>Or create your own bot in the <a href="/console#/bots">console</a>, add documents, and activate the bot.</li>
</ul>
<p>Then reload this page.</p>
<p>This page shows a bot of the first workspace. To see a bot of another workspace, open <code>${DEMO_PAGE}?bot=pk_…</code> with the public key from the bot’s Embed page.</p>`,
  );
}

function renderList(texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return `<ul>${texts.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,">
  <style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
