import type { ParleyHandle, ParleySettings } from './page.ts';
import { ApiClient, ApiError, type WidgetConfig } from './session/api-client.ts';
import { Chat } from './session/chat.ts';
import { loadPart } from './session/load-part.ts';
import { Store } from './session/store.ts';
import { readAppearance } from './ui/theme.ts';
import { Widget } from './ui/widget.ts';
import { loadWording } from './wording.ts';

const MAX_VISITOR_ID_LENGTH = 128;
const CONFIG_RETRY_MS = [2000, 10_000];
const FURTHER_RETRY_MS = 60_000;

/** Calls that the page made to `window.Parley` before the widget had started. They run once it has. */
const queuedCalls: ((parts: StartedWidget) => void)[] = [];
let started: StartedWidget | undefined;

interface StartedWidget {
  widget: Widget;
  chat: Chat;
}

function runWhenStarted(call: (parts: StartedWidget) => void): void {
  if (started) call(started);
  else queuedCalls.push(call);
}

const handle: ParleyHandle = {
  open: () => runWhenStarted(({ widget }) => widget.open()),
  close: () => runWhenStarted(({ widget }) => widget.close()),
  toggle: () => runWhenStarted(({ widget }) => widget.toggle()),
  showLeadForm: () => runWhenStarted(({ widget }) => widget.showLeadForm()),
  identify: (token) => runWhenStarted(({ chat }) => void chat.identify(token)),
};

async function mountWidget(script: HTMLScriptElement): Promise<void> {
  const { bot, identityToken, language } = script.dataset;
  if (!('adoptedStyleSheets' in document)) return;
  if (!bot) return warn('the script needs the attribute data-bot with the public key of a bot.');
  const settings: ParleySettings = { ...window.ParleySettings };
  const base = new URL('.', script.src).href.replace(/\/$/, '');
  const api = new ApiClient(base, bot);
  const config = await loadConfig(api);
  if (!config) return;
  // Prefetch the form's script, because the form may be shown later.
  if (config.lead_capture) loadPart(base, 'form').catch(() => undefined);
  const wording = await loadWording(base, [
    language ?? settings.language ?? config.language,
    ...navigator.languages,
    document.documentElement.lang,
  ]);
  let widget: Widget | undefined;
  const { texts } = wording;
  const { signal } = new AbortController();
  const chat = new Chat({
    api,
    config,
    ...wording,
    visitorId: readVisitorId(settings),
    store: new Store(bot),
    signal,
    onChange: () => widget?.draw(),
  });
  const { onBook } = settings;
  widget = new Widget(
    { chat, config, texts, appearance: readAppearance(config.theme), onBook, signal },
    wording.language,
  );
  await waitUntilParsed();
  widget.mount();
  const resumed = chat.resume(identityToken ?? settings.identityToken);
  // Let the visitor use the widget now: identifying the visitor may take the page some time.
  started = { widget, chat };
  for (const call of queuedCalls) call(started);
  await chat.waitUntilIdentified();
  widget.restoreDraft();
  await resumed;
  widget.startAnnouncing();
}

/** Returns the id that the page gives the visitor; undefined if the API would not accept it. */
function readVisitorId({ visitorId }: ParleySettings): string | undefined {
  const id = String(visitorId ?? '');
  const isUsable = id !== '' && id.length <= MAX_VISITOR_ID_LENGTH;
  if (!isUsable && visitorId !== undefined)
    warn(`visitorId must have 1 to ${MAX_VISITOR_ID_LENGTH} characters; it is ignored.`);
  return isUsable ? id : undefined;
}

/**
 * Loads the bot's configuration, and retries while the API cannot be reached.
 * @returns null if the bot must not run on this page
 */
async function loadConfig(api: ApiClient): Promise<WidgetConfig | null> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return dropEmptyForm(await api.readBot<WidgetConfig>('config'));
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
        warn(`the bot is not shown. ${error.message}`);
        return null;
      }
      if (attempt === CONFIG_RETRY_MS.length) warn('the API cannot be reached; trying again.');
      await waitUntilOnline(CONFIG_RETRY_MS[attempt] ?? FURTHER_RETRY_MS);
    }
  }
}

/** Waits for the given time. Ends earlier if the browser is online again. */
function waitUntilOnline(maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, maxMs);
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

/** Removes the form from the configuration if it has no fields. */
function dropEmptyForm(config: WidgetConfig): WidgetConfig {
  const fields = config.lead_capture?.['fields'];
  return Array.isArray(fields) && fields.length > 0 ? config : { ...config, lead_capture: null };
}

function waitUntilParsed(): Promise<void> {
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
// Check for a function, because an element of the page with the id `Parley` also defines `window.Parley`.
const isLoaded = typeof window.Parley?.toggle === 'function';
if (script instanceof HTMLScriptElement && !isLoaded) {
  window.Parley = handle;
  void mountWidget(script);
}
