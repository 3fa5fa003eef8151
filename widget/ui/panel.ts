import type { FormModule } from '../form/contract.ts';
import type { InputRequest } from '../session/api-client.ts';
import { describeFailure } from '../session/failure-text.ts';
import { loadPart } from '../session/load-part.ts';
import { AnswerChips } from './answer-chips.ts';
import { createAvatar } from './avatar.ts';
import { Composer } from './composer.ts';
import { createDirectoryPicker } from './directory-picker.ts';
import { button, h, icon, isShown } from './dom.ts';
import { MessageList } from './message-list.ts';
import { createEndSheet, createPrivacySheet, createRatingSheet, createRatingStars } from './chat-sheets.ts';
import { createSheet } from './sheet.ts';
import type { View } from './view.ts';

type SheetName = 'form' | 'booking' | 'directory' | 'rating' | 'privacy' | 'end';

/**
 * Media query for touch screens. A focused text field opens a keyboard there, which covers half of the
 * conversation.
 */
const TOUCH = '(pointer: coarse)';

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
  readonly #sheetPlace = h('div', { class: 'sheets' });
  readonly #actions = h('div', { class: 'actions' });
  readonly #ended = h('div', { class: 'ended' });
  readonly #menu = h('div', { class: 'menu', id: 'menu', hidden: true });
  readonly #menuButton: HTMLButtonElement;
  #sheet: SheetName | null = null;
  #drawnActions = '';
  #inputRequest: InputRequest | null = null;
  #visitorCount = 1;
  /** True if the form's script could not be loaded. The visitor may then chat without completing the form. */
  #isFormUnavailable = false;

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
      this.#sheetPlace,
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
    if (this.#sheet) this.#sheetPlace.querySelector<HTMLElement>('h2')?.focus();
    else if (chat.status === 'ended') this.#ended.querySelector('button')?.focus();
    else if (window.matchMedia(TOUCH).matches) this.messages.element.focus();
    else this.#composer.focus();
  }

  /**
   * Closes the menu or, if it is closed, the sheet.
   * @returns whether either was open
   */
  closeTopmost(): boolean {
    if (!this.#menu.hidden) {
      this.#toggleMenu(false);
      this.#menuButton.focus();
      return true;
    }
    if (this.#sheet === null || this.#isFormRequired()) return false;
    if (this.#sheet === 'form') this.#view.chat.lead.dismiss();
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
    const focused = this.#findFocused();
    this.#draw();
    // Focus again if the focused field was replaced while drawing.
    if (focused && !isShown(this.#findFocused() ?? focused)) this.focus();
  }

  restoreDraft(): void {
    this.#composer.restoreDraft();
  }

  /** Removes the text and the sheet that the previous visitor had not completed. */
  #discardVisitorInput(): void {
    this.#visitorCount = this.#view.chat.visitorCount;
    this.#dropSheet();
    this.#composer.clear();
  }

  #dropSheet(): void {
    this.#sheet = null;
    this.#sheetPlace.replaceChildren();
  }

  /** Returns the focused element of the panel. */
  #findFocused(): Element | null {
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    return this.element.contains(activeElement) ? activeElement : null;
  }

  #draw(): void {
    const { chat, texts } = this.#view;
    if (chat.visitorCount !== this.#visitorCount) this.#discardVisitorInput();
    const subtitle = chat.status === 'human' ? (chat.agentName ?? texts.team) : '';
    setText(this.#subtitle, subtitle);
    const lost = navigator.onLine ? texts.reconnecting : texts.offline;
    setText(this.#connection, chat.isConnected && navigator.onLine ? '' : lost);
    setText(this.#notice, chat.notice ?? (chat.status === 'waiting_human' ? chat.waitingText : ''));
    this.#followInputRequest(chat.inputRequest);
    if (this.#sheet === null && chat.lead.isDue && !this.#isFormUnavailable) this.#showSheet('form');
    this.messages.update(!this.#isFormRequired());
    this.#composer.update();
    this.#composer.element.hidden = this.#isFormRequired() || chat.status === 'ended';
    this.#drawActions();
  }

  /**
   * Shows the form or the booking sheet when a flow asks for it, and hides it afterwards. A sheet that the
   * visitor has closed stays closed.
   */
  #followInputRequest(inputRequest: InputRequest | null): void {
    const lastRequest = this.#inputRequest;
    this.#inputRequest = inputRequest;
    if (inputRequest === lastRequest) return;
    if (lastRequest && this.#sheet === lastRequest.kind) this.#dropSheet();
    if (this.#sheet || !inputRequest) return;
    const { onBook } = this.#view;
    if (inputRequest.kind === 'booking' && onBook) onBook(null);
    else if (inputRequest.kind === 'form' || inputRequest.kind === 'booking')
      this.#showSheet(inputRequest.kind);
  }

  /** Creates a sheet and fills it once the script for its content is loaded. */
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

  /** Returns whether the visitor must complete or refuse the form before writing the first message. */
  #isFormRequired(): boolean {
    const { lead } = this.#view.chat;
    return this.#sheet === 'form' && lead.isDue && lead.isBeforeChat;
  }

  #showSheet(name: SheetName): void {
    const sheet = this.#createSheet(name);
    this.#sheet = sheet.length > 0 ? name : null;
    this.#sheetPlace.replaceChildren(...sheet);
  }

  #createSheet(name: SheetName): HTMLElement[] {
    const { chat, config, texts } = this.#view;
    const { lead_capture: lead, directory } = config;
    const close = () => this.#closeSheet();
    switch (name) {
      case 'form':
        return lead
          ? [
              this.#createLazySheet(texts.leadTitle, close, async (sheetElement) => {
                this.#isFormUnavailable = true;
                const { showForm } = await loadPart<FormModule>(chat.base, 'form');
                this.#isFormUnavailable = false;
                showForm(sheetElement, lead, chat, texts, describeFailure, close);
              }),
            ]
          : [];
      case 'directory':
        return directory ? [createDirectoryPicker(this.#view, directory, close)] : [];
      case 'rating':
        return [createRatingSheet(this.#view, close)];
      case 'privacy':
        return [createPrivacySheet(this.#view, close)];
      case 'end':
        return [createEndSheet(this.#view, close)];
      case 'booking':
        return [
          this.#createLazySheet(texts.book, close, (sheetElement) =>
            chat.bookings.load().then((part) => part.showSheet(sheetElement, close, config.booking)),
          ),
        ];
    }
  }

  #closeSheet(): void {
    const hadFocus = this.#sheetPlace.contains(this.#findFocused());
    this.#dropSheet();
    this.update();
    if (hadFocus) this.focus();
  }

  /** Closes the menu if the event is outside of it. */
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
      ...(config.lead_capture && !hasEnded ? [item(texts.leave, 'form')] : []),
      ...(chat.messages.length > 0 ? [item(texts.rate, 'rating')] : []),
      item(texts.privacy, 'privacy'),
      ...(chat.messages.length > 0 && !hasEnded ? [item(texts.end, 'end')] : []),
    ];
  }

  /**
   * Draws the buttons above the message field. Does so only if they change, so that a focused button keeps
   * the focus.
   */
  #drawActions(): void {
    const { chat, config, texts } = this.#view;
    const hasEnded = chat.status === 'ended';
    const actions = `${chat.status} ${this.#sheet} ${chat.rating}`;
    if (actions === this.#drawnActions) return;
    this.#drawnActions = actions;
    const offersPerson = config.handoff_enabled && chat.status === 'active';
    const person = () => void chat.attempt(() => chat.requestPerson());
    // While the form is open, offer only a handoff to a person. Other buttons would open a sheet in place of
    // the form.
    const isFormOpen = this.#sheet === 'form';
    this.#actions.hidden = hasEnded || (this.#sheet !== null && !isFormOpen);
    this.#actions.replaceChildren(
      ...(offersPerson ? [button(texts.person, person, 'chip')] : []),
      ...(isFormOpen ? [] : this.#createOtherActions()),
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
