import { fill } from '../texts.ts';
import { h, icon, isShown } from './dom.ts';
import { loadFormatting } from './formatted-text.ts';
import { Panel } from './panel.ts';
import { recall, remember } from './tab-memory.ts';
import type { View } from './view.ts';
import styles from './widget.css';

const TAG = 'parley-widget';
/** Media query for small screens, on which the widget's panel covers the whole page. */
const FULL_SCREEN = '(max-width:480px),(max-height:420px)';
/** Maximum fraction of the browser's time that the widget spends on drawing. */
const DRAWING_SHARE = 0.25;
const HIDDEN_PAGE_DRAW_MS = 250;
const FOCUSABLE = 'button,a[href],input,select,textarea,[tabindex="0"]';

/**
 * The widget on the page: the button that opens the panel, and the panel. A shadow root isolates both from
 * the page's styles.
 */
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
  /** Element of the page that had the focus before the panel opened. */
  #opener: Element | null = null;

  constructor(view: View, language: string) {
    const { config, appearance } = view;
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
        onpointerenter: () => void loadFormatting(view.chat.base).catch(() => undefined),
      },
      icon('speech'),
      icon('chevron'),
      this.#badge,
    );
    this.#root = h(
      'div',
      { class: `widget ${appearance.position}`, lang: language },
      this.#panel.element,
      this.#launcher,
    );
    this.#root.addEventListener('keydown', (event) => this.#onKeyDown(event));
    // Browsers show the focus of text fields to users of a mouse or touch screen, too.
    this.#root.addEventListener('pointerdown', () => this.#root.classList.add('pointer'));
    // Keep key events within the widget, so that the visitor's typing does not trigger shortcuts of the page.
    for (const type of ['keydown', 'keyup', 'keypress'])
      this.#root.addEventListener(type, (event) => event.stopPropagation());
  }

  /**
   * Adds the widget's launcher button to the page, until the signal of the view aborts.
   * @returns root of all elements of the widget
   */
  mount(parent: Element = document.documentElement): ShadowRoot {
    const { signal } = this.#view;
    const shadow = this.#host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [styles, this.#view.appearance.css].map(createStyleSheet);
    shadow.append(this.#root);
    parent.append(this.#host);
    signal.addEventListener('abort', () => this.#host.remove());
    for (const type of ['online', 'offline']) window.addEventListener(type, () => this.draw(), { signal });
    const fit = () => this.#fitViewport();
    this.#fullScreen.addEventListener('change', fit, { signal });
    for (const type of ['resize', 'scroll']) window.visualViewport?.addEventListener(type, fit, { signal });
    this.#fitViewport();
    this.draw();
    if (recall(this.#openKey) !== null && !this.#fullScreen.matches) this.#openPanel();
    return shadow;
  }

  /** Makes screen readers announce new messages from now on. */
  startAnnouncing(): void {
    this.#panel.update();
    this.#panel.messages.startAnnouncing();
  }

  /** Restores the text that the visitor was typing in the message field on the previous page. */
  restoreDraft(): void {
    this.#panel.restoreDraft();
  }

  get isOpen(): boolean {
    return !this.#panel.element.hidden;
  }

  /** @param takesFocus whether the opened panel gets the focus */
  open(takesFocus = true): void {
    this.#openPanel();
    if (takesFocus) this.#panel.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.#panel.hide();
    remember(this.#openKey, null);
    this.#view.chat.setOpen(false);
    this.#update();
    if (isShown(this.#launcher)) this.#launcher.focus();
    else (this.#opener as HTMLElement | null)?.focus();
    this.#view.onToggle?.(false);
  }

  toggle(): void {
    if (this.isOpen) this.close();
    else this.open();
  }

  showLeadForm(): void {
    this.#openPanel();
    this.#panel.openForm();
  }

  /** Schedules drawing the widget. Several calls before the drawing cause only one. */
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
    if (!document.hidden) requestAnimationFrame(draw);
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

  #openPanel(): void {
    if (this.isOpen) return;
    this.#opener = document.activeElement;
    this.#panel.element.hidden = false;
    remember(this.#openKey, '1');
    this.#view.chat.setOpen(true);
    this.#update();
    this.#panel.messages.showNewest();
    this.#view.onToggle?.(true);
  }

  /** Opens the panel and writes a text into the empty message field. */
  prefill(text: string): void {
    this.open();
    this.#panel.prefill(text);
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Tab') this.#root.classList.remove('pointer');
    if (event.key === 'Escape' && this.isOpen) {
      event.preventDefault();
      if (!this.#panel.closeTopmost()) this.close();
    }
    if (event.key === 'Tab' && this.isOpen && this.#fullScreen.matches) this.#trapFocus(event);
  }

  /** Keeps the keyboard focus within the panel when it covers the whole screen. */
  #trapFocus(event: KeyboardEvent): void {
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

  /**
   * Fits the panel into the part of the window that an on-screen keyboard leaves visible. Zooming in does not
   * shrink the panel.
   */
  #fitViewport(): void {
    const viewport = window.visualViewport;
    this.#panel.element.setAttribute('aria-modal', String(this.#fullScreen.matches));
    this.#root.classList.toggle('full', this.#fullScreen.matches);
    this.#root.style.setProperty('--height', viewport ? `${viewport.height * viewport.scale}px` : '100vh');
    this.#root.style.setProperty('--top', viewport?.scale === 1 ? `${viewport.offsetTop}px` : '0');
  }
}

/** Creates a style sheet by script, so that the page's Content-Security-Policy does not block it. */
function createStyleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
