import { fill } from '../texts.ts';
import { h, icon, isShown } from './dom.ts';
import { Panel } from './panel.ts';
import { recall, remember } from './tab-memory.ts';
import type { View } from './view.ts';
import styles from './widget.css';

const TAG = 'parley-widget';
/** Where the panel fills the screen. */
const FULL_SCREEN = '(max-width: 480px), (max-height: 420px)';
/** Drawing takes at most this share of the time. */
const DRAWING_SHARE = 0.25;
const HIDDEN_PAGE_DRAW_MS = 250;
const FOCUSABLE = 'button, a[href], input, select, textarea, [tabindex="0"]';

/** Launcher and panel, apart from the page in a shadow root. */
export class Widget {
  readonly #view: View;
  readonly #host = document.createElement(TAG);
  readonly #root: HTMLElement;
  readonly #launcher: HTMLButtonElement;
  readonly #badge = h('span', { class: 'badge', 'aria-hidden': 'true' });
  readonly #panel: Panel;
  readonly #fullScreen = window.matchMedia(FULL_SCREEN);
  readonly #openKey: string;
  #isDrawing = false;

  constructor(view: View, language: string) {
    const { config, look } = view;
    this.#view = view;
    this.#openKey = `parley-open:${config.public_key}`;
    this.#panel = new Panel(view, () => this.close());
    this.#launcher = h(
      'button',
      {
        type: 'button',
        class: 'launcher',
        'aria-expanded': 'false',
        'aria-controls': 'panel',
        onclick: () => this.toggle(),
      },
      icon('speech'),
      icon('close'),
      this.#badge,
    );
    this.#root = h(
      'div',
      { class: `widget ${look.position}`, lang: language },
      this.#panel.element,
      this.#launcher,
    );
    this.#root.addEventListener('keydown', (event) => this.#pressed(event));
    // The page's own shortcuts are not meant when somebody writes here.
    for (const type of ['keydown', 'keyup', 'keypress'])
      this.#root.addEventListener(type, (event) => event.stopPropagation());
  }

  /** Puts the launcher onto the page. */
  mount(): void {
    const shadow = this.#host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [styles, this.#view.look.css].map(styleSheet);
    shadow.append(this.#root);
    document.documentElement.append(this.#host);
    for (const type of ['online', 'offline']) window.addEventListener(type, () => this.draw());
    this.#fullScreen.addEventListener('change', () => this.#fit());
    window.visualViewport?.addEventListener('resize', () => this.#fit());
    window.visualViewport?.addEventListener('scroll', () => this.#fit());
    this.#fit();
    this.draw();
    if (recall(this.#openKey) !== null && !this.#fullScreen.matches) this.#show();
  }

  /** Reads out what comes from now on. */
  startAnnouncing(): void {
    this.#panel.update();
    this.#panel.messages.startAnnouncing();
  }

  /** Goes on with what the visitor had begun to write on the page before. */
  restoreDraft(): void {
    this.#panel.restoreDraft();
  }

  get isOpen(): boolean {
    return !this.#panel.element.hidden;
  }

  open(): void {
    this.#show();
    this.#panel.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.#panel.hide();
    remember(this.#openKey, null);
    this.#view.chat.show(false);
    this.#update();
    this.#launcher.focus();
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  showLeadForm(): void {
    this.#show();
    this.#panel.openSheet('form');
  }

  /** Draws what has changed, soon: many changes at once are one. */
  draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const draw = () => {
      const startedAt = performance.now();
      this.#update();
      const restMs = (performance.now() - startedAt) * (1 / DRAWING_SHARE - 1);
      if (restMs < 16) this.#isDrawing = false;
      else setTimeout(() => this.#drawAgain(), restMs);
    };
    if (document.visibilityState === 'visible') requestAnimationFrame(draw);
    else setTimeout(draw, HIDDEN_PAGE_DRAW_MS);
  }

  #drawAgain(): void {
    this.#isDrawing = false;
    this.draw();
  }

  #update(): void {
    const { chat, config, texts } = this.#view;
    const { unread } = chat;
    const name = { name: config.name, count: unread };
    const label = this.isOpen ? texts.close : fill(unread > 0 ? texts.openUnread : texts.open, name);
    this.#launcher.setAttribute('aria-label', label);
    this.#launcher.setAttribute('aria-expanded', String(this.isOpen));
    this.#badge.textContent = unread > 0 ? String(unread) : '';
    this.#badge.hidden = unread === 0;
    if (this.isOpen) this.#panel.update();
  }

  #show(): void {
    if (this.isOpen) return;
    this.#panel.element.hidden = false;
    remember(this.#openKey, '1');
    this.#view.chat.show(true);
    this.#update();
    this.#panel.messages.showNewest();
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.isOpen) {
      event.preventDefault();
      if (!this.#panel.escape()) this.close();
    }
    if (event.key === 'Tab' && this.isOpen && this.#fullScreen.matches) this.#keepFocus(event);
  }

  /** A panel that fills the screen is all there is. */
  #keepFocus(event: KeyboardEvent): void {
    const focusable = [...this.#panel.element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
      (element) => isShown(element) && !element.matches(':disabled'),
    );
    const active = (this.#host.shadowRoot as ShadowRoot).activeElement;
    const [edge, target] = event.shiftKey
      ? [focusable[0], focusable.at(-1)]
      : [focusable.at(-1), focusable[0]];
    if (active !== edge) return;
    event.preventDefault();
    target?.focus();
  }

  /** An on-screen keyboard leaves less of the screen than there is; who zooms in sees a part of the panel. */
  #fit(): void {
    const viewport = window.visualViewport;
    this.#panel.element.setAttribute('aria-modal', String(this.#fullScreen.matches));
    this.#root.classList.toggle('full', this.#fullScreen.matches);
    this.#root.style.setProperty('--height', viewport ? `${viewport.height * viewport.scale}px` : '100vh');
    this.#root.style.setProperty('--top', viewport?.scale === 1 ? `${viewport.offsetTop}px` : '0');
  }
}

/** A style sheet that a page's Content-Security-Policy says nothing about. */
function styleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
