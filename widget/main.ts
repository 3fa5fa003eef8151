import { findOwnScript, hasOtherBot } from './own-script.ts';
import type { LauncherModule } from './launcher/contract.ts';
import type { FaultsModule, WidgetOptions } from './faults/contract.ts';
import { EVENTS, isSendable, isVisitorId, mayHaveFaults, readLanguage } from './option-check.ts';
import { PageEvents } from './page-events.ts';
import type { ParleySettings, ParleyWidget } from '../sdk/typescript/src/widget.ts';
import { reportError, warn } from './report.ts';
import { ApiClient, ApiError, type WidgetConfig } from './session/api-client.ts';
import { Chat } from './session/chat.ts';
import { loadPart } from './session/load-part.ts';
import { Store } from './session/store.ts';
import { readAppearance } from './ui/theme.ts';
import { Widget } from './ui/widget.ts';
import { loadWording } from './wording.ts';

declare global {
  /** Settings that the page defines. Reading them throws a ReferenceError if the page defines none. */
  const ParleySettings: ParleySettings | undefined;
}

const CONFIG_RETRY_MS = [2000, 10_000];
const FURTHER_RETRY_MS = 60_000;
const SNIPPET =
  'Add the line from the bot’s Embed page: <script src="https://…/widget.js" data-bot="pk_…" async></script>';

/**
 * Calls that the page made to `window.Parley` before the widget had started. The widget runs these calls
 * after its start.
 */
const queuedCalls: ((parts: StartedWidget) => void)[] = [];
let started: StartedWidget | undefined;
const events = new PageEvents((error) => window.reportError(error));
const life = new AbortController();

interface StartedWidget {
  widget: Widget;
  chat: Chat;
}

function runWhenStarted(call: (parts: StartedWidget) => void): void {
  if (started) call(started);
  else queuedCalls.push(call);
}

/** Warns the page's developer about a call of `window.Parley` with a wrong first argument or listener. */
function reportCall(name: 'on' | 'send', value: unknown): void {
  runWhenStarted(({ chat }) => nameFaults(chat.base, (faults) => [faults.describeCall(name, value)]));
}

const handle: ParleyWidget = {
  open: () => runWhenStarted(({ widget }) => widget.open()),
  close: () => runWhenStarted(({ widget }) => widget.close()),
  toggle: () => runWhenStarted(({ widget }) => widget.toggle()),
  showLeadForm: () => runWhenStarted(({ widget }) => widget.showLeadForm()),
  identify: (token) => runWhenStarted(({ chat }) => void chat.identify(token)),
  send: (text) => {
    if (!isSendable(text)) return reportCall('send', text);
    runWhenStarted(({ widget, chat }) => {
      const content = String(text).trim();
      widget.open();
      if (content) chat.send(content);
    });
  },
  prefill: (text) => runWhenStarted(({ widget }) => widget.prefill(String(text))),
  on: (event, listener) => {
    if (EVENTS.includes(event) && typeof listener === 'function') return events.on(event, listener);
    reportCall('on', event);
    return () => undefined;
  },
  destroy: () => life.abort(),
};

async function mountWidget(script: HTMLScriptElement): Promise<void> {
  const { bot, identityToken } = script.dataset;
  if (!('adoptedStyleSheets' in document)) return;
  if (!script.src) return reportError(`load the script from its own address. ${SNIPPET}`);
  if (!bot) return reportError(`the script has no data-bot with the bot’s public key. ${SNIPPET}`);
  const settings = readSettings();
  const base = new URL('.', script.src).href.replace(/\/$/, '');
  const api = new ApiClient(base, bot);
  const config = await loadConfig(api);
  if (!config) return;
  const options = {
    settings: { ...settings },
    attributes: script.dataset,
    theme: config.theme,
    globals: Object.keys(window),
  };
  reportFaults(base, options);
  // Prefetch the form's script, because the form may be shown later.
  if (config.lead_capture) loadPart(base, 'form').catch(() => undefined);
  const wording = await loadWording(base, [
    String(readLanguage(options) ?? config.language),
    ...navigator.languages,
    document.documentElement.lang,
  ]);
  let widget: Widget | undefined;
  const { texts } = wording;
  const { signal } = life;
  if (signal.aborted) return;
  const chat = new Chat({
    api,
    config,
    ...wording,
    visitorId: readVisitorId(settings),
    store: new Store(bot),
    signal,
    onChange: () => {
      if (!widget) return;
      widget.draw();
      events.compare(chat);
    },
  });
  const { onBook } = settings;
  const onToggle = (isOpen: boolean) => {
    // Pages may set options late, for example after a visitor's sign-in.
    if (isOpen) reportFaults(base, options);
    events.emit(isOpen ? 'open' : 'close', null);
  };
  widget = new Widget(
    { chat, config, texts, appearance: readAppearance(config.theme), onBook, onToggle, signal },
    wording.language,
  );
  const { launcher, panel, greetings, files } = config.theme;
  // Load the script before the launcher appears. Otherwise, the launcher would move on the page.
  const part =
    launcher || panel || greetings || files
      ? await loadPart<LauncherModule>(base, 'launcher').catch(() => undefined)
      : undefined;
  await waitUntilParsed();
  if (signal.aborted) return;
  const root = widget.mount();
  part?.decorate(root, { widget, chat, config, signal });
  const resumed = chat.resume(identityToken ?? settings.identityToken);
  // Let the visitor use the widget immediately: the page may need some time to identify the visitor.
  started = { widget, chat };
  for (const call of queuedCalls) call(started);
  await chat.waitUntilIdentified();
  widget.restoreDraft();
  await resumed;
  events.start(chat);
  widget.startAnnouncing();
}

/** Names each option that the widget ignores, in a warning for the page's developer. */
function reportFaults(base: string, options: WidgetOptions): void {
  const current: Record<string, unknown> = { ...readSettings() };
  if (mayHaveFaults(options, current))
    nameFaults(base, (faults) => faults.listFaults(options, current, base));
}

/**
 * Writes warnings about mistakes of the page to the browser's console. Writes nothing if the script that
 * describes mistakes cannot be loaded.
 */
function nameFaults(base: string, list: (faults: FaultsModule) => string[]): void {
  loadPart<FaultsModule>(base, 'faults')
    .then((faults) => list(faults).forEach((fault) => warn(fault)))
    .catch(() => undefined);
}

/** Returns the id that the page assigns to the visitor; undefined if the API would not accept this id. */
function readVisitorId({ visitorId }: ParleySettings): string | undefined {
  return visitorId !== undefined && isVisitorId(visitorId) ? String(visitorId) : undefined;
}

/**
 * Reads the page's settings, also those that a script has declared with `const`. Returns no settings if the
 * page has none, or if that script has failed.
 */
function readSettings(): ParleySettings {
  try {
    return { ...ParleySettings };
  } catch {
    return {};
  }
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

/** Waits for at most `maxMs` milliseconds. Ends earlier if the browser is online again. */
function waitUntilOnline(maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, maxMs);
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

/** Removes the form for contact details from the bot's configuration if the form has no fields. */
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

const script = findOwnScript();
// Check for a function, because an element of the page with the id `Parley` also defines `window.Parley`.
const isLoaded = typeof window.Parley?.toggle === 'function';
if (!script) reportError(`the page has no script element. ${SNIPPET}`);
else if (!isLoaded) {
  window.Parley = handle;
  void mountWidget(script);
} else if (hasOtherBot(script.dataset.bot))
  reportError('the page loads two bots, and shows only the first. Remove the other script.');
