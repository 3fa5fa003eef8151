import type { FormModule } from '../form/contract.ts';
import type { AskedInput } from '../session/api-client.ts';
import { failureText } from '../session/failure-text.ts';
import { loadPart } from '../session/load-part.ts';
import { AnswerChips } from './answer-chips.ts';
import { avatar } from './avatar.ts';
import { Composer } from './composer.ts';
import { directoryPicker } from './directory-picker.ts';
import { button, h, icon, isShown } from './dom.ts';
import { MessageList } from './message-list.ts';
import { endSheet, privacySheet, ratingSheet, ratingStars } from './questions.ts';
import { sheet } from './sheet.ts';
import type { View } from './view.ts';

type SheetName = 'form' | 'booking' | 'directory' | 'rating' | 'privacy' | 'end';

/** Devices on which a focused text field opens a keyboard that covers half of the conversation. */
const TOUCH = '(pointer: coarse)';

/** The dialog with the conversation. */
export class Panel {
  readonly element: HTMLElement;
  readonly messages: MessageList;
  readonly #view: View;
  readonly #composer: Composer;
  readonly #chips: AnswerChips;
  readonly #subtitle = h('span', { class: 'subtitle' });
  readonly #connection = h('p', { class: 'notice', role: 'status' });
  readonly #notice = h('p', { class: 'notice', role: 'status' });
  readonly #sheetPlace = h('div', { class: 'sheets' });
  readonly #actions = h('div', { class: 'actions' });
  readonly #ended = h('div', { class: 'ended' });
  readonly #menu = h('div', { class: 'menu', id: 'menu', hidden: true });
  readonly #menuButton: HTMLButtonElement;
  #sheet: SheetName | null = null;
  #shown = '';
  #asked: AskedInput | null = null;
  #visitorCount = 1;
  /** True if the form could not be loaded: the visitor continues without it. */
  #lacksForm = false;

  /** @param close called when the visitor closes the panel */
  constructor(view: View, close: () => void) {
    const { config, texts } = view;
    this.#view = view;
    this.#composer = new Composer(view);
    this.#chips = new AnswerChips(view, () => this.#composer.writeFreely());
    this.messages = new MessageList(view, this.#chips);
    this.#menuButton = h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        'aria-label': texts.menu,
        'aria-expanded': 'false',
        'aria-controls': 'menu',
        onclick: () => this.#toggleMenu(this.#menu.hidden === true),
      },
      icon('menu'),
    );
    this.element = h(
      'div',
      { class: 'panel', id: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
      h(
        'header',
        {},
        avatar(view),
        h('div', { class: 'names' }, h('strong', { id: 'title', dir: 'auto' }, config.name), this.#subtitle),
        this.#menuButton,
        h(
          'button',
          { type: 'button', class: 'icon-button', 'aria-label': texts.close, onclick: close },
          icon('close'),
        ),
      ),
      this.#menu,
      this.#connection,
      this.messages.element,
      this.messages.announcer,
      this.#notice,
      this.#sheetPlace,
      this.#actions,
      this.#ended,
      this.#composer.element,
    );
    this.element.addEventListener('focusin', (event) => this.#left(event));
    window.addEventListener('pointerdown', (event) => this.#left(event), true);
  }

  hide(): void {
    this.element.hidden = true;
    this.#toggleMenu(false);
  }

  focus(): void {
    const { chat } = this.#view;
    if (this.#sheet) this.#sheetPlace.querySelector<HTMLElement>('h2')?.focus();
    else if (chat.status === 'ended') this.#ended.querySelector('button')?.focus();
    else if (window.matchMedia(TOUCH).matches) this.messages.element.focus();
    else this.#composer.focus();
  }

  /**
   * Closes the topmost menu or sheet.
   * @returns whether one was open
   */
  escape(): boolean {
    if (!this.#menu.hidden) {
      this.#toggleMenu(false);
      this.#menuButton.focus();
      return true;
    }
    if (this.#sheet === null || this.#isFormFirst()) return false;
    if (this.#sheet === 'form') this.#view.chat.lead.settle();
    this.#closeSheet();
    return true;
  }

  openSheet(name: SheetName): void {
    this.#toggleMenu(false);
    this.#showSheet(name);
    this.update();
    this.focus();
  }

  update(): void {
    const focused = this.#focused();
    this.#draw();
    // Drawing may have replaced the focused field.
    if (focused && !isShown(this.#focused() ?? focused)) this.focus();
  }

  restoreDraft(): void {
    this.#composer.restore();
  }

  /** Discards input that the previous visitor has begun. */
  #forgetVisitor(): void {
    this.#visitorCount = this.#view.chat.visitorCount;
    this.#dropSheet();
    this.#composer.clear();
  }

  #dropSheet(): void {
    this.#sheet = null;
    this.#sheetPlace.replaceChildren();
  }

  /** Returns the focused element of the panel. */
  #focused(): Element | null {
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    return this.element.contains(activeElement) ? activeElement : null;
  }

  #draw(): void {
    const { chat, texts } = this.#view;
    if (chat.visitorCount !== this.#visitorCount) this.#forgetVisitor();
    const subtitle = chat.status === 'human' ? (chat.agentName ?? texts.team) : '';
    setText(this.#subtitle, subtitle);
    const lost = navigator.onLine ? texts.reconnecting : texts.offline;
    setText(this.#connection, chat.isConnected && navigator.onLine ? '' : lost);
    setText(this.#notice, chat.notice ?? (chat.status === 'waiting_human' ? chat.waitingText : ''));
    this.#follow(chat.asked);
    if (this.#sheet === null && chat.lead.isDue && !this.#lacksForm) this.#showSheet('form');
    this.messages.update(!this.#isFormFirst());
    this.#composer.update();
    this.#composer.element.hidden = this.#isFormFirst() || chat.status === 'ended';
    this.#drawActions();
  }

  /** Shows a flow's form or booking sheet while it is asked for, unless the visitor closes it. */
  #follow(asked: AskedInput | null): void {
    const former = this.#asked;
    this.#asked = asked;
    if (asked === former) return;
    if (former && this.#sheet === former.kind) this.#dropSheet();
    if (this.#sheet || !asked) return;
    const { onBook } = this.#view;
    if (asked.kind === 'booking' && onBook) onBook(null);
    else if (asked.kind === 'form' || asked.kind === 'booking') this.#showSheet(asked.kind);
  }

  /** Creates a sheet whose content is loaded on demand. */
  #lazySheet(title: string, done: () => void, fillIn: (place: HTMLElement) => Promise<void>): HTMLElement {
    const { chat, texts } = this.#view;
    const place = sheet(title, [], [[texts.cancel, done]]);
    const failed = (error: unknown) => {
      if (place.isConnected) done();
      throw error;
    };
    void chat.attempt(() => fillIn(place).catch(failed));
    return place;
  }

  /** Returns whether the form must be completed or refused before the first message. */
  #isFormFirst(): boolean {
    const { lead } = this.#view.chat;
    return this.#sheet === 'form' && lead.isDue && lead.isFirst;
  }

  #showSheet(name: SheetName): void {
    const sheet = this.#makeSheet(name);
    this.#sheet = sheet.length > 0 ? name : null;
    this.#sheetPlace.replaceChildren(...sheet);
  }

  #makeSheet(name: SheetName): HTMLElement[] {
    const { chat, config, texts } = this.#view;
    const { lead_capture: lead, directory } = config;
    const done = () => this.#closeSheet();
    switch (name) {
      case 'form':
        return lead
          ? [
              this.#lazySheet(texts.leadTitle, done, async (place) => {
                this.#lacksForm = true;
                const { ask } = await loadPart<FormModule>(chat.base, 'form');
                this.#lacksForm = false;
                ask(place, lead, chat, texts, failureText, done);
              }),
            ]
          : [];
      case 'directory':
        return directory ? [directoryPicker(this.#view, directory, done)] : [];
      case 'rating':
        return [ratingSheet(this.#view, done)];
      case 'privacy':
        return [privacySheet(this.#view, done)];
      case 'end':
        return [endSheet(this.#view, done)];
      case 'booking':
        return [
          this.#lazySheet(texts.book, done, (place) =>
            chat.bookings.load().then((part) => part.fill(place, done, config.booking)),
          ),
        ];
    }
  }

  #closeSheet(): void {
    const hadFocus = this.#sheetPlace.contains(this.#focused());
    this.#dropSheet();
    this.update();
    if (hadFocus) this.focus();
  }

  /** Closes the menu on interaction outside of it. */
  #left(event: Event): void {
    const path = event.composedPath();
    if (!path.includes(this.#menu) && !path.includes(this.#menuButton)) this.#toggleMenu(false);
  }

  #toggleMenu(isOpen: boolean): void {
    this.#menu.hidden = !isOpen;
    this.#menuButton.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    this.#menu.replaceChildren(...this.#menuItems());
    this.#menu.querySelector('button')?.focus();
  }

  #menuItems(): HTMLElement[] {
    const { chat, config, texts } = this.#view;
    const item = (text: string, sheet: SheetName) => button(text, () => this.openSheet(sheet));
    const isOver = chat.status === 'ended';
    return [
      ...(config.lead_capture && !isOver ? [item(texts.leave, 'form')] : []),
      ...(chat.messages.length > 0 ? [item(texts.rate, 'rating')] : []),
      item(texts.privacy, 'privacy'),
      ...(chat.messages.length > 0 && !isOver ? [item(texts.end, 'end')] : []),
    ];
  }

  /** Draws the buttons beside the composer, only after a change so that none loses the focus. */
  #drawActions(): void {
    const { chat, config, texts } = this.#view;
    const isOver = chat.status === 'ended';
    const shown = `${chat.status} ${this.#sheet} ${chat.rating}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const offersPerson = config.handoff_enabled && chat.status === 'active';
    const person = () => void chat.attempt(() => chat.requestPerson());
    // The visitor may request a person instead of completing the form; other buttons would replace the form.
    const isAsked = this.#sheet === 'form';
    this.#actions.hidden = isOver || (this.#sheet !== null && !isAsked);
    this.#actions.replaceChildren(
      ...(offersPerson ? [button(texts.person, person, 'chip')] : []),
      ...(isAsked ? [] : this.#otherActions()),
    );
    this.#ended.hidden = !isOver;
    this.#ended.replaceChildren(
      h('p', { role: 'status' }, texts.ended),
      ratingStars(this.#view, () => this.update()),
      button(texts.startNew, () => this.#startAnew(), 'primary'),
    );
  }

  #otherActions(): HTMLElement[] {
    const { config, texts, onBook } = this.#view;
    const { directory, booking } = config;
    return [
      ...(directory ? [button(directory.choice_label, () => this.openSheet('directory'), 'chip')] : []),
      ...(onBook || booking
        ? [button(texts.book, () => (onBook ? onBook(null) : this.openSheet('booking')), 'chip')]
        : []),
    ];
  }

  #startAnew(): void {
    this.#view.chat.startAnew();
    this.update();
    this.focus();
  }
}

/**
 * Changes a live region only if its text differs: screen readers announce every change, even to the same text. Hiding
 * the region instead would prevent announcements.
 */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
