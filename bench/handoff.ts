import { openSharedBrowser } from '../test/support/browser.ts';
import { startHostSite } from '../test/support/host-site.ts';
import { WidgetVisits, type WidgetPage } from '../test/support/widget-page.ts';
import { percentile, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';

const REPLIES = 100;
const WARM_UP = 10;
const PAUSE_MS = 40;
const LIMIT_MS = 100;

/**
 * Measures the time from a team member's reply until it is on the visitor's screen, with a real widget in a
 * real browser.
 */
export async function benchHandoff(): Promise<Figure[]> {
  const browser = await openSharedBrowser();
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
    await visit.button('Talk to a human').click();
    await visit.waitForText('Connecting you to the team…');
    return toHandoffFigures(await measure(installation, visit));
  } finally {
    await browser.close();
    await site.close();
    await installation.stop();
  }
}

interface ReplyTimes {
  /** Milliseconds until the team member has the API's response to the reply. */
  answered: number[];
  /** Milliseconds until the team member's reply is on the visitor's screen. */
  seen: number[];
}

async function measure(installation: Installation, visit: WidgetPage): Promise<ReplyTimes> {
  const { items } = await call<{ items: { id: string }[] }>(installation, 'GET', '/api/inbox');
  const path = `/api/inbox/${items[0]!.id}/reply`;
  const measured: ReplyTimes = { answered: [], seen: [] };
  for (let reply = 0; reply < WARM_UP + REPLIES; reply += 1) {
    const text = `reply ${reply}`;
    const drawn = visit.page.evaluate<number>(buildDrawnScript(text));
    const sentAt = Date.now();
    await call(installation, 'POST', path, { content: text });
    const answeredAt = Date.now();
    const drawnAt = await drawn;
    if (reply >= WARM_UP) {
      measured.answered.push(answeredAt - sentAt);
      measured.seen.push(drawnAt - sentAt);
    }
    await visit.page.waitForTimeout(PAUSE_MS);
  }
  return measured;
}

/**
 * Builds a script for the browser that resolves when a text has been painted. The widget renders the text in
 * the frame before the paint.
 */
function buildDrawnScript(text: string): string {
  return `new Promise((resolve) => {
    const root = document.querySelector('parley-widget').shadowRoot;
    const items = root.querySelector('.items');
    const look = () => {
      if (!items.lastElementChild?.textContent.includes(${JSON.stringify(text)})) return;
      observer.disconnect();
      setTimeout(() => resolve(Date.now()));
    };
    const observer = new MutationObserver(look);
    observer.observe(items, { childList: true, subtree: true, characterData: true });
    look();
  })`;
}

function toHandoffFigures({ answered, seen }: ReplyTimes): Figure[] {
  const p95 = percentile(seen, 0.95);
  const common = { bench: 'handoff', unit: 'ms' };
  return [
    {
      ...common,
      figure: 'reply to visitor’s screen, p50',
      value: roundTo(percentile(seen, 0.5), 1),
      baseline: roundTo(percentile(answered, 0.5), 1),
    },
    {
      ...common,
      figure: 'reply to visitor’s screen, p95',
      value: roundTo(p95, 1),
      baseline: roundTo(percentile(answered, 0.95), 1),
      target: `≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
  ];
}
