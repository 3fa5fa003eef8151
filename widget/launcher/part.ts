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

/** Distance of the panel's lower edge from that of the launcher, in CSS pixels. */
const LAUNCHER_SPACE = 70;
/** Interval at which greetings are compared with the page, whose address changes without an event. */
const CHECK_MS = 500;
/** Name of the button that closes a greeting, by language. */
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
  const look = readLauncher(options.config.theme);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles + formatRules(look));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  if (look.label !== undefined)
    root.querySelector('.launcher')!.append(h('span', { class: 'label', dir: 'auto' }, look.label));
  const greetings = readGreetings(options.config.theme);
  if (greetings.length > 0) watchGreetings(root, greetings, options);
};

function formatRules({ isHidden, offsetX, offsetY, width, height }: LauncherLook): string {
  const bottom = isHidden ? (offsetY ?? 20) : offsetY === undefined ? undefined : offsetY + LAUNCHER_SPACE;
  return [
    isHidden && '.launcher{display:none}',
    offsetX !== undefined &&
      `.right :is(.launcher,.panel,.greeting){right:${offsetX}px}.left :is(.launcher,.panel,.greeting){left:${offsetX}px}`,
    offsetY !== undefined && `.launcher{bottom:${offsetY}px}`,
    bottom !== undefined && `.panel,.greeting{bottom:${bottom}px}`,
    bottom !== undefined && height === undefined && formatHeight(640, bottom),
    width !== undefined && `.panel{width:min(${width}px,calc(100vw - 40px))}`,
    height !== undefined && formatHeight(height, bottom ?? 90),
  ]
    .filter(Boolean)
    .join('');
}

const formatHeight = (height: number, bottom: number) =>
  `.panel{height:min(${height}px,calc(var(--height) - ${bottom + 20}px))}`;

/** Shows the first greeting of the page after its time, once for each browser. */
function watchGreetings(
  root: ShadowRoot,
  greetings: Greeting[],
  { widget, chat, config, signal }: Parameters<LauncherModule['decorate']>[1],
): void {
  // Remembers that the visitor has seen a greeting or opened the chat.
  const seenKey = `parley-greeted:${config.public_key}`;
  if (hasSeen(seenKey)) return;
  const shown = h('div', { class: 'greeting', role: 'status', hidden: true });
  root.querySelector('.widget')!.append(shown);
  let page = '';
  let enteredAt = 0;
  const end = () => {
    clearInterval(timer);
    shown.remove();
    storeSeen(seenKey);
  };
  const check = () => {
    if (widget.isOpen || chat.messages.length > 0) return end();
    if (page !== location.href) {
      page = location.href;
      enteredAt = performance.now();
      shown.hidden = true;
    }
    const greeting = greetings.find(
      ({ pages }) => pages.length === 0 || pages.some((pattern) => matchesPage(pattern, location)),
    );
    if (!greeting || !shown.hidden || performance.now() - enteredAt < greeting.afterSeconds * 1000) return;
    const dismiss = h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        'aria-label': DISMISS[chat.language] ?? DISMISS['en'],
        onclick: end,
      },
      icon('close'),
    );
    const openChat = () => {
      end();
      widget.open();
    };
    shown.hidden = false;
    shown.replaceChildren(button(greeting.text, openChat), dismiss);
  };
  const timer = setInterval(check, CHECK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

function hasSeen(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    // Shows no greeting if the browser blocks storage: it would come back on each page.
    return true;
  }
}

function storeSeen(key: string): void {
  try {
    localStorage.setItem(key, '1');
  } catch {
    // Ignores a storage that is full or blocked.
  }
}
