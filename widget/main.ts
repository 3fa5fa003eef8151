import type { ParleyHandle, ParleySettings } from './page.ts';
import { ApiClient, ApiError, type WidgetConfig } from './session/api-client.ts';
import { Chat } from './session/chat.ts';
import { loadPart } from './session/load-part.ts';
import { Store } from './session/store.ts';
import { lookOf } from './ui/theme.ts';
import { Widget } from './ui/widget.ts';
import { loadWording } from './wording.ts';

const MAX_VISITOR_ID_LENGTH = 128;
const CONFIG_RETRY_MS = [2000, 10_000];
const LATER_RETRY_MS = 60_000;

/** Calls of the page's API that wait until the widget has started. */
const asked: ((parts: Started) => void)[] = [];
let started: Started | undefined;

interface Started {
  widget: Widget;
  chat: Chat;
}

function whenStarted(act: (parts: Started) => void): void {
  if (started) act(started);
  else asked.push(act);
}

const handle: ParleyHandle = {
  open: () => whenStarted(({ widget }) => widget.open()),
  close: () => whenStarted(({ widget }) => widget.close()),
  toggle: () => whenStarted(({ widget }) => widget.toggle()),
  showLeadForm: () => whenStarted(({ widget }) => widget.showLeadForm()),
  identify: (token) => whenStarted(({ chat }) => void chat.identify(token)),
};

async function start(script: HTMLScriptElement): Promise<void> {
  const { bot, identityToken, language } = script.dataset;
  if (!('adoptedStyleSheets' in document)) return;
  if (!bot) return warn('the script needs the attribute data-bot with the public key of a bot.');
  const settings: ParleySettings = { ...window.ParleySettings };
  const base = new URL('.', script.src).href.replace(/\/$/, '');
  const api = new ApiClient(base, bot);
  const config = await loadConfig(api);
  if (!config) return;
  // Prefetches the form, which may be needed later.
  if (config.lead_capture) loadPart(base, 'form').catch(() => undefined);
  const wording = await loadWording(base, [
    language ?? settings.language ?? config.language,
    ...navigator.languages,
    document.documentElement.lang,
  ]);
  let widget: Widget | undefined;
  const { texts } = wording;
  const chat = new Chat({
    api,
    config,
    ...wording,
    visitorId: visitorIdOf(settings),
    store: new Store(bot),
    changed: () => widget?.draw(),
  });
  const { onBook } = settings;
  widget = new Widget({ chat, config, texts, look: lookOf(config.theme), onBook }, wording.language);
  await whenParsed();
  widget.mount();
  const resumed = chat.resume(identityToken ?? settings.identityToken);
  // Identification may take the page a while; the widget is usable before.
  started = { widget, chat };
  for (const act of asked) act(started);
  await chat.whenIdentified();
  widget.restoreDraft();
  await resumed;
  widget.startAnnouncing();
}

/** Returns the page's own id of the visitor if the API accepts it. */
function visitorIdOf({ visitorId }: ParleySettings): string | undefined {
  const id = String(visitorId ?? '');
  const isUsable = id !== '' && id.length <= MAX_VISITOR_ID_LENGTH;
  if (!isUsable && visitorId !== undefined)
    warn(`visitorId must have 1 to ${MAX_VISITOR_ID_LENGTH} characters; it is ignored.`);
  return isUsable ? id : undefined;
}

/**
 * Loads the bot's configuration and retries while the API cannot be reached.
 * @returns null if the bot must not run on this page
 */
async function loadConfig(api: ApiClient): Promise<WidgetConfig | null> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return withoutEmptyForm(await api.ofBot<WidgetConfig>('config'));
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
        warn(
          `the bot is not shown (${error.code}). Is it active and public, and does allowed_domains name this site?`,
        );
        return null;
      }
      if (attempt === CONFIG_RETRY_MS.length) warn('the API cannot be reached; it is tried again.');
      await backOnline(CONFIG_RETRY_MS[attempt] ?? LATER_RETRY_MS);
    }
  }
}

/** Waits for a time, or until the browser is online again. */
function backOnline(longestMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, longestMs);
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

/** Treats a form without fields as no form. */
function withoutEmptyForm(config: WidgetConfig): WidgetConfig {
  const fields = config.lead_capture?.['fields'];
  return Array.isArray(fields) && fields.length > 0 ? config : { ...config, lead_capture: null };
}

function whenParsed(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((resolve) =>
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }),
  );
}

function warn(problem: string): void {
  // oxlint-disable-next-line no-console -- developers of the page look in the console
  console.warn(`Parley: ${problem}`);
}

const script = document.currentScript;
// An element of the page with the id `Parley` would also define `window.Parley`.
const isThere = typeof window.Parley?.toggle === 'function';
if (script instanceof HTMLScriptElement && !isThere) {
  window.Parley = handle;
  void start(script);
}
