import { openBrowser } from '../test/support/browser.ts';
import { startHostSite } from '../test/support/host-site.ts';
import { WidgetVisits, type WidgetPage } from '../test/support/widget-page.ts';
import { percentile, rounded, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';

const REPLIES = 100;
const WARM_UP = 10;
const PAUSE_MS = 40;
const LIMIT_MS = 100;

/** What a person of the team writes, until it stands on the visitor's screen: a real widget in a real browser. */
export async function benchHandoff(): Promise<Figure[]> {
  const browser = await openBrowser();
  if (browser === null) return [];
  const installation = await startInstallation();
  const site = await startHostSite();
  try {
    const visits = new WidgetVisits({ baseUrl: installation.apiUrl }, browser, site);
    const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
      name: 'Bench',
      handoff_enabled: true,
    });
    await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    const visit = await visits.visit(bot);
    await visit.open();
    await visit.button('Talk to a person').click();
    await visit.sees('Waiting for a person.');
    return figures(await latencies(installation, visit));
  } finally {
    await browser.close();
    await site.close();
    await installation.stop();
  }
}

async function latencies(installation: Installation, visit: WidgetPage): Promise<number[]> {
  const { items } = await call<{ items: { id: string }[] }>(installation, 'GET', '/api/inbox');
  const path = `/api/inbox/${items[0]!.id}/reply`;
  const measured: number[] = [];
  for (let reply = 0; reply < WARM_UP + REPLIES; reply += 1) {
    const text = `reply ${reply}`;
    const seen = visit.page.evaluate<number>(untilDrawn(text));
    const sentAt = Date.now();
    await call(installation, 'POST', path, { content: text });
    const latencyMs = (await seen) - sentAt;
    if (reply >= WARM_UP) measured.push(latencyMs);
    await visit.page.waitForTimeout(PAUSE_MS);
  }
  return measured;
}

/** Runs in the browser: the time at which a text has been drawn. */
function untilDrawn(text: string): string {
  return `new Promise((resolve) => {
    const root = document.querySelector('parley-widget').shadowRoot;
    const items = root.querySelector('.items');
    const look = () => {
      if (!items.lastElementChild?.textContent.includes(${JSON.stringify(text)})) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    };
    const observer = new MutationObserver(look);
    observer.observe(items, { childList: true, subtree: true, characterData: true });
    look();
  })`;
}

function figures(latencies: number[]): Figure[] {
  const p95 = percentile(latencies, 0.95);
  const name = 'handoff';
  return [
    {
      bench: name,
      figure: 'reply to visitor’s screen, p50',
      value: rounded(percentile(latencies, 0.5), 1),
      unit: 'ms',
    },
    {
      bench: name,
      figure: 'reply to visitor’s screen, p95',
      value: rounded(p95, 1),
      unit: 'ms',
      target: `≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
  ];
}
