import type { CitedSource } from '../../browser/cited-sources.ts';
import { toSafeLink } from '../../browser/safe-link.ts';
import type { DirectoryModule } from '../directory/contract.ts';
import type { InputRequest } from '../session/api-client.ts';
import { describeFailure } from '../session/failure-text.ts';
import { loadPart } from '../session/load-part.ts';
import type { RareSheet, SheetsModule } from '../sheets/contract.ts';
import { AnswerChips } from './answer-chips.ts';
import { createAvatar } from './avatar.ts';
import { Composer } from './composer.ts';
import { button, h, icon, isShown, outwardLink } from './dom.ts';
import { LeadCard } from './lead-card.ts';
import { MessageList } from './message-list.ts';
import { createRatingStars } from './rating-stars.ts';
import { createSheet } from './sheet.ts';
import type { View } from './view.ts';

/** Names of the sheets that the panel can open by name, without further data. */
type SheetName = 'booking' | 'directory' | 'rating' | RareSheet;

/**
 * Media query for touch screens. A focused text field opens a keyboard there, which covers half of the
 * conversation.
 */
const TOUCH = '(pointer:coarse)';

/** Dialog with the conversation, the field for messages, and sheets such as the booking. */
export class Panel {
  readonly element: HTMLElement;
  readonly messages: MessageList;
  readonly #view: View;
  readonly #composer: Composer;
  readonly #chips: AnswerChips;
  readonly #subtitle = h('span', { class: 'subtitle' });
  readonly #connection = h('p', { class: 'notice', role: 'status' });
  readonly #notice = h('p', { class: 'notice', role: 'status' });
  readonly #sheetContainer = h('div', { class: 'sheets' });
  readonly #leadCard: LeadCard;
  readonly #actions = h('div', { class: 'actions' });
  readonly #ended = h('div', { class: 'ended' });
  readonly #menu = h('div', { class: 'menu', id: 'menu', hidden: true });
  readonly #menuButton: HTMLButtonElement;
  #sheet: SheetName | 'source' | null = null;
  /** The button or citation with which the visitor opened a source of an answer. */
  #sourceOpener: HTMLElement | null = null;
  #drawnActions = '';
  #inputRequest: InputRequest | null = null;
  #visitorCount = 1;

  /** @param close called when the visitor closes the panel */
  constructor(view: View, close: () => void) {
    const { config, texts } = view;
    this.#view = view;
    this.#composer = new Composer(view);
    this.#chips = new AnswerChips(view, () => this.#composer.writeFreely());
    this.#leadCard = new LeadCard(view, (hadFocus) => this.#onLeadCardClosed(hadFocus));
    this.messages = new MessageList(view, this.#chips, this.#leadCard.element, (source) =>
      this.#openSource(source),
    );
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
        'div',
        { class: 'header' },
        createAvatar(view),
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
      this.#sheetContainer,
      this.#actions,
      this.#ended,
      this.#composer.element,
    );
    this.element.addEventListener('focusin', (event) => this.#closeMenuUnlessInside(event));
    window.addEventListener('pointerdown', (event) => this.#closeMenuUnlessInside(event), {
      capture: true,
      signal: view.signal,
    });
  }

  hide(): void {
    this.element.hidden = true;
    this.#toggleMenu(false);
  }

  focus(): void {
    const { chat } = this.#view;
    if (this.#sheet) this.#sheetContainer.querySelector<HTMLElement>('h2')?.focus();
    else if (this.#leadCard.isRequired) {
      if (!this.#leadCard.focus()) this.messages.element.focus();
    } else if (chat.status === 'ended') this.#ended.querySelector('button')?.focus();
    else if (window.matchMedia(TOUCH).matches) this.messages.element.focus();
    else this.#composer.focus();
  }

  /**
   * Closes the topmost open part of the panel: the menu or, if it is closed, the sheet or the focused form.
   * @returns whether any of them was open
   */
  closeTopmost(): boolean {
    if (!this.#menu.hidden) {
      this.#toggleMenu(false);
      this.#menuButton.focus();
      return true;
    }
    if (this.#sheet !== null) {
      this.#closeSheet();
      return true;
    }
    if (this.#leadCard.isRequired || !this.#leadCard.hasFocus) return false;
    this.#leadCard.dismiss();
    return true;
  }

  /** Shows the form for contact details, although the form is not due. */
  openForm(): void {
    this.#toggleMenu(false);
    this.#leadCard.show(true);
    this.update();
  }

  openSheet(name: SheetName): void {
    this.#toggleMenu(false);
    this.#showSheet(name);
    this.update();
    this.focus();
  }

  update(): void {
    const focused = this.#findFocused();
    this.#draw();
    // Focus again if drawing the panel has replaced the focused field.
    if (focused && !isShown(this.#findFocused() ?? focused)) this.focus();
  }

  /** Shows the passages that an answer quotes from a page or file. */
  #openSource({ title, url, quotes }: CitedSource): void {
    const { texts } = this.#view;
    const href = toSafeLink(url);
    this.#sourceOpener = this.#findFocused();
    this.#sheet = 'source';
    this.#sheetContainer.replaceChildren(
      createSheet(
        title,
        [...quotes.map((quote) => h('blockquote', { dir: 'auto' }, quote)), href && outwardLink(href, href)],
        [[texts.done, () => this.#closeSheet()]],
      ),
    );
    this.update();
    this.focus();
  }

  prefill(text: string): void {
    this.#composer.prefill(text);
  }

  restoreDraft(): void {
    this.#composer.restoreDraft();
  }

  /**
   * Removes what the previous visitor had not completed: the text in the message field and the open sheet.
   */
  #discardVisitorInput(): void {
    this.#visitorCount = this.#view.chat.visitorCount;
    this.#dropSheet();
    this.#leadCard.drop();
    this.#composer.clear();
  }

  #dropSheet(): void {
    this.#sheet = null;
    this.#sheetContainer.replaceChildren();
  }

  /** Returns the focused element of the panel. */
  #findFocused(): HTMLElement | null {
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    return this.element.contains(activeElement) ? (activeElement as HTMLElement) : null;
  }

  #draw(): void {
    const { chat, texts } = this.#view;
    if (chat.visitorCount !== this.#visitorCount) this.#discardVisitorInput();
    setText(this.#subtitle, chat.subtitle);
    const lost = navigator.onLine ? texts.reconnecting : texts.offline;
    setText(this.#connection, chat.isConnected && navigator.onLine ? '' : lost);
    setText(this.#notice, chat.notice ?? (chat.status === 'waiting_human' ? chat.waitingText : ''));
    this.#followInputRequest(chat.inputRequest);
    this.#leadCard.showIfDue();
    this.messages.update(!this.#leadCard.isRequired);
    this.#composer.update();
    this.#composer.element.hidden = this.#leadCard.isRequired || chat.status === 'ended';
    this.#drawActions();
  }

  /**
   * Shows the form for contact details or the booking sheet when a flow asks for it, and hides it afterwards.
   * A sheet that the visitor has closed stays closed.
   */
  #followInputRequest(inputRequest: InputRequest | null): void {
    const lastRequest = this.#inputRequest;
    this.#inputRequest = inputRequest;
    if (inputRequest === lastRequest) return;
    if (lastRequest?.kind === 'form') this.#leadCard.drop();
    if (lastRequest && this.#sheet === lastRequest.kind) this.#dropSheet();
    if (inputRequest?.kind === 'form') this.#leadCard.show();
    if (this.#sheet || inputRequest?.kind !== 'booking') return;
    const { onBook } = this.#view;
    if (onBook) onBook(null);
    else this.#showSheet('booking');
  }

  #onLeadCardClosed(hadFocus: boolean): void {
    this.update();
    if (hadFocus) this.focus();
  }

  /** Creates a sheet of the panel and fills it once the script for its content is loaded. */
  #createLazySheet(
    title: string,
    close: () => void,
    fillSheet: (sheetElement: HTMLElement) => Promise<void>,
  ): HTMLElement {
    const { chat, texts } = this.#view;
    const sheetElement = createSheet(title, [], [[texts.cancel, close]]);
    const showFailure = (error: unknown) => {
      if (sheetElement.isConnected) close();
      throw error;
    };
    void chat.attempt(() => fillSheet(sheetElement).catch(showFailure));
    return sheetElement;
  }

  #createRareSheet(name: RareSheet, title: string, close: () => void): HTMLElement {
    const { chat, texts } = this.#view;
    return this.#createLazySheet(title, close, async (sheet) =>
      (await loadPart<SheetsModule>(chat.base, 'sheets')).fillSheet(sheet, name, chat, texts, close),
    );
  }

  #showSheet(name: SheetName): void {
    const sheet = this.#createSheet(name);
    this.#sheet = sheet.length > 0 ? name : null;
    this.#sheetContainer.replaceChildren(...sheet);
  }

  #createSheet(name: SheetName): HTMLElement[] {
    const { chat, config, texts, onBook } = this.#view;
    const { directory } = config;
    const close = () => this.#closeSheet();
    switch (name) {
      case 'directory':
        return directory
          ? [
              this.#createLazySheet(directory.choice_label, close, async (sheet) => {
                const { showDirectory } = await loadPart<DirectoryModule>(chat.base, 'directory');
                showDirectory(sheet, {
                  directory,
                  texts,
                  onBook,
                  resolveChoice: (category, choice) => chat.resolveChoice(category, choice),
                  describeError: describeFailure,
                  onDone: close,
                });
              }),
            ]
          : [];
      case 'rating':
        return [
          createSheet(texts.rateQuestion, [createRatingStars(this.#view, close)], [[texts.cancel, close]]),
        ];
      case 'privacy':
        return [this.#createRareSheet(name, texts.privacy, close)];
      case 'end':
        return [this.#createRareSheet(name, texts.endQuestion, close)];
      case 'booking':
        return [
          this.#createLazySheet(texts.book, close, (sheetElement) =>
            chat.bookings.load().then((part) => part.showSheet(sheetElement, close, config.booking)),
          ),
        ];
    }
  }

  #closeSheet(): void {
    const hadFocus = this.#sheetContainer.contains(this.#findFocused());
    const opener = this.#sheet === 'source' ? this.#sourceOpener : null;
    this.#dropSheet();
    this.update();
    if (!hadFocus) return;
    (opener?.isConnected ? opener : this).focus();
  }

  /** Closes the panel's menu if the event is outside of it. */
  #closeMenuUnlessInside(event: Event): void {
    const path = event.composedPath();
    if (!path.includes(this.#menu) && !path.includes(this.#menuButton)) this.#toggleMenu(false);
  }

  #toggleMenu(isOpen: boolean): void {
    this.#menu.hidden = !isOpen;
    this.#menuButton.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    this.#menu.replaceChildren(...this.#createMenuItems());
    this.#menu.querySelector('button')?.focus();
  }

  #createMenuItems(): HTMLElement[] {
    const { chat, config, texts } = this.#view;
    const item = (text: string, sheet: SheetName) => button(text, () => this.openSheet(sheet));
    const hasEnded = chat.status === 'ended';
    return [
      ...(config.lead_capture && !hasEnded ? [button(texts.leave, () => this.openForm())] : []),
      ...(chat.messages.length > 0 ? [item(texts.rate, 'rating')] : []),
      item(texts.privacy, 'privacy'),
      ...(chat.messages.length > 0 && !hasEnded ? [item(texts.end, 'end')] : []),
    ];
  }

  /**
   * Draws the buttons above the message field. Does so only if the buttons change, so that a focused button
   * keeps the focus.
   */
  #drawActions(): void {
    const { chat, config, texts } = this.#view;
    const hasEnded = chat.status === 'ended';
    const actions = `${chat.status} ${this.#sheet} ${chat.rating}`;
    if (actions === this.#drawnActions) return;
    this.#drawnActions = actions;
    const offersPerson = config.handoff_enabled && chat.status === 'active';
    const person = () => void chat.attempt(() => chat.requestPerson());
    this.#actions.hidden = hasEnded || this.#sheet !== null;
    this.#actions.replaceChildren(
      ...(offersPerson ? [button(texts.person, person, 'chip')] : []),
      ...this.#createOtherActions(),
    );
    this.#ended.hidden = !hasEnded;
    this.#ended.replaceChildren(
      h('p', { role: 'status' }, texts.ended),
      createRatingStars(this.#view, () => this.update()),
      button(texts.startNew, () => this.#startNewConversation(), 'primary'),
    );
  }

  #createOtherActions(): HTMLElement[] {
    const { config, texts, onBook } = this.#view;
    const { directory, booking } = config;
    return [
      ...(directory ? [button(directory.choice_label, () => this.openSheet('directory'), 'chip')] : []),
      ...(onBook || booking
        ? [button(texts.book, () => (onBook ? onBook(null) : this.openSheet('booking')), 'chip')]
        : []),
    ];
  }

  #startNewConversation(): void {
    this.#view.chat.startNewConversation();
    this.update();
    this.focus();
  }
}

/**
 * Changes the text of a live region if it differs, because screen readers announce every assignment, even of
 * the same text. An empty text is used instead of hiding the region, which would suppress announcements.
 */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
