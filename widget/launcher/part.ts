import { readAcceptedFiles } from '../../core/conversations/accepted-files.ts';
import type { FilesModule, FilesOptions } from '../files/contract.ts';
import { button, h, icon } from '../ui/dom.ts';
import type { LauncherModule } from './contract.ts';
import {
  matchesPage,
  readGreetings,
  readLauncher,
  type Greeting,
  type LauncherLook,
} from './read-launcher.ts';
import styles from './launcher.css';

/** Distance in CSS pixels between the lower edges of the widget's panel and of the launcher button. */
const LAUNCHER_SPACE = 70;
/**
 * Heights of the widget's panel in CSS pixels: the height without a theme, and the minimum height on low
 * pages.
 */
const DEFAULT_HEIGHT = 640;
const MIN_PANEL_HEIGHT = 320;
/** Milliseconds between checks which greeting belongs to the page, whose address changes without an event. */
const CHECK_MS = 500;
/** Name of the button that closes a greeting of the widget, by language. */
const DISMISS: Readonly<Record<string, string>> = {
  en: 'Dismiss',
  de: 'Schließen',
  es: 'Cerrar',
  fr: 'Fermer',
  it: 'Chiudi',
  nl: 'Sluiten',
  pt: 'Fechar',
};

export const decorate: LauncherModule['decorate'] = (root, options) => {
  const { launcher, panel, greetings, files } = options.config.theme;
  const accepted = readAcceptedFiles({ files });
  if (accepted) void loadFiles(root, { ...options, accepted });
  if (launcher || panel || greetings) changeLauncher(root, options);
};

/**
 * Loads the script for files, whose file name has the same suffix as this script's. Without that script,
 * visitors send only text.
 */
async function loadFiles(root: ShadowRoot, options: FilesOptions): Promise<void> {
  const url = import.meta.url.replace('/launcher-', '/files-');
  const part = await (import(url) as Promise<FilesModule>).catch(() => undefined);
  if (!options.signal.aborted) part?.attachFiles(root, options);
}

function changeLauncher(root: ShadowRoot, options: Parameters<LauncherModule['decorate']>[1]): void {
  const look = readLauncher(options.config.theme);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles + formatRules(look));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  if (look.label !== undefined && !look.isHidden) addLabel(root.querySelector('.launcher')!, look.label);
  const greetings = readGreetings(options.config.theme);
  if (greetings.length > 0) watchGreetings(root, greetings, options);
}

/**
 * Adds a text to the widget's launcher, and to its accessible name, so that voice control finds the launcher
 * (WCAG 2.5.3).
 */
function addLabel(launcher: Element, label: string): void {
  launcher.append(h('span', { class: 'label', dir: 'auto' }, label));
  const nameLauncher = () => {
    const name = launcher.getAttribute('aria-label') ?? '';
    if (!name.startsWith(label)) launcher.setAttribute('aria-label', `${label}: ${name}`);
  };
  nameLauncher();
  new MutationObserver(nameLauncher).observe(launcher, { attributeFilter: ['aria-label'] });
}

function formatRules({ isHidden, offsetX, offsetY, width, height }: LauncherLook): string {
  const wanted = isHidden ? (offsetY ?? 20) : (offsetY ?? 20) + LAUNCHER_SPACE;
  // Limits the distance from the lower edge, so that the panel has enough space on low pages.
  const bottom = `min(${wanted}px,calc(var(--height) - ${MIN_PANEL_HEIGHT + 20}px))`;
  return [
    isHidden && '.launcher{display:none}',
    offsetX !== undefined &&
      `.right :is(.launcher,.panel,.greeting){right:${offsetX}px}.left :is(.launcher,.panel,.greeting){left:${offsetX}px}`,
    offsetY !== undefined && `.launcher{bottom:${offsetY}px}`,
    `.panel,.greeting{bottom:${bottom}}`,
    width !== undefined && `.panel{width:min(${width}px,calc(100vw - 40px))}`,
    `.panel{height:min(${height ?? DEFAULT_HEIGHT}px,calc(var(--height) - ${bottom} - 20px))}`,
  ]
    .filter(Boolean)
    .join('');
}

/** Shows the first greeting that belongs to the page after its delay, only once in each browser. */
function watchGreetings(
  root: ShadowRoot,
  greetings: Greeting[],
  { widget, chat, config, signal }: Parameters<LauncherModule['decorate']>[1],
): void {
  // Key in the browser's storage for the fact that the visitor has seen a greeting or opened the chat.
  const seenKey = `parley-greeted:${config.public_key}`;
  let shown: HTMLElement | undefined;
  let page = '';
  let enteredAt = 0;
  const end = () => {
    clearInterval(timer);
    shown?.remove();
    storeSeen(seenKey);
  };
  const check = () => {
    const { pathname, search } = location;
    const isOtherPage = page !== pathname + search;
    if (widget.isOpen || chat.messages.length > 0 || (shown && isOtherPage)) return end();
    if (shown) return;
    if (isOtherPage) {
      page = pathname + search;
      enteredAt = performance.now();
    }
    const greeting = greetings.find(
      ({ pages }) => pages.length === 0 || pages.some((pattern) => matchesPage(pattern, location)),
    );
    if (!greeting || performance.now() - enteredAt < greeting.afterSeconds * 1000) return;
    // Another tab may have shown a greeting during the delay.
    if (hasSeen(seenKey)) return end();
    storeSeen(seenKey);
    shown = createGreeting(greeting.text, DISMISS[chat.language] ?? DISMISS['en']!, end, () => {
      end();
      widget.open();
    });
    root.querySelector('.widget')!.append(shown);
  };
  const timer = setInterval(check, CHECK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  if (hasSeen(seenKey)) clearInterval(timer);
}

function createGreeting(
  text: string,
  dismiss: string,
  onDismiss: () => void,
  onOpen: () => void,
): HTMLElement {
  const close = h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': dismiss, onclick: onDismiss },
    icon('close'),
  );
  return h('div', { class: 'greeting', role: 'status' }, button(text, onOpen), close);
}

function hasSeen(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    // Show no greeting if the browser blocks storage: the greeting would appear again on each page.
    return true;
  }
}

function storeSeen(key: string): void {
  try {
    localStorage.setItem(key, '1');
  } catch {
    // Ignore that the browser's storage is full or blocked.
  }
}
