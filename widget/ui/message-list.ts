import type { CitedSource } from '../../browser/cited-sources.ts';
import type { ShownMessage } from '../session/transcript.ts';
import { fill } from '../texts.ts';
import type { AnswerChips } from './answer-chips.ts';
import { createAvatar } from './avatar.ts';
import { button, h } from './dom.ts';
import { EventLine } from './event-line.ts';
import { FormattedText } from './formatted-text.ts';
import { MessageElement } from './message-element.ts';
import type { View } from './view.ts';

/**
 * Distance in pixels from the end within which new messages scroll the list down. A visitor who has scrolled
 * up further stays there.
 */
const NEAR_BOTTOM_PX = 80;
const MAX_ANNOUNCED_LENGTH = 2000;
/** Space in pixels above a message that is scrolled to the top of the list. */
const MARGIN_PX = 14;

/** List of the conversation's messages, and a live region in which screen readers announce new messages. */
export class MessageList {
  readonly element: HTMLElement;
  readonly announcer = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  readonly #view: View;
  readonly #openSource: (source: CitedSource) => void;
  readonly #elements = new Map<string, MessageElement | EventLine>();
  readonly #separators = new Map<string, HTMLElement>();
  readonly #items = h('div', { class: 'items' });
  readonly #starters: HTMLElement;
  readonly #chips: AnswerChips;
  readonly #welcomeText = new FormattedText();
  /** The bot's welcome message. */
  readonly #welcome: HTMLElement | null;
  /** Greeting before the first message of a bot without a welcome message. */
  readonly #opening: HTMLElement | null;
  readonly #earlier: HTMLButtonElement;
  readonly #typing = h('div', { class: 'typing', role: 'img' }, h('i'), h('i'), h('i'));
  /**
   * Part of the newest message that automatic scrolling keeps in view: its start, or its end once the visitor
   * has scrolled there. Null after the visitor has scrolled up.
   */
  #anchor: 'start' | 'end' | null = 'start';
  /** Scroll position at which the part named by `#anchor` is visible. */
  #anchoredScrollTop = 0;
  #announcedKey: string | undefined;
  #isAnnouncing = false;

  /**
   * @param card element that is shown below the last message, with the form for contact details
   * @param openSource called when the visitor chooses a source of an answer
   */
  constructor(view: View, chips: AnswerChips, card: HTMLElement, openSource: (source: CitedSource) => void) {
    const { config, texts } = view;
    this.#view = view;
    this.#openSource = openSource;
    this.#chips = chips;
    this.#welcome = this.#createWelcome();
    this.#opening = this.#welcome ? null : this.#createOpening();
    this.#starters = this.#createStarters();
    this.#earlier = button(texts.earlier, () => void this.#readEarlier(), 'chip');
    this.#typing.setAttribute('aria-label', fill(texts.typing, { name: config.name }));
    this.element = h(
      'div',
      { class: 'messages', role: 'log', 'aria-live': 'off', 'aria-label': texts.messages, tabindex: 0 },
      this.#welcome ?? this.#opening,
      this.#starters,
      this.#earlier,
      this.#items,
      chips.element,
      this.#typing,
      card,
    );
    this.element.addEventListener('scroll', () => this.#onScroll());
    // Keep the scroll position when a height changes, because of buttons below the list or formatted
    // messages.
    const observer = new ResizeObserver(() => this.#keepAnchor());
    for (const element of [this.element, this.#items]) observer.observe(element);
  }

  /**
   * Draws new and changed messages of the conversation.
   * @param offersQuestions whether the bot's starter questions may be shown now
   */
  update(offersQuestions: boolean): void {
    const { messages, isTyping, hasEarlier, inputRequest } = this.#view.chat;
    const last = messages.at(-1);
    const isNew = last !== undefined && !this.#elements.has(last.key);
    if (this.#opening) this.#opening.hidden = messages.length > 0;
    this.#starters.hidden = messages.length > 0 || !offersQuestions || inputRequest !== null;
    this.#earlier.hidden = !hasEarlier;
    this.#typing.hidden = !isTyping;
    this.#arrange();
    this.#chips.update();
    if (isNew && (this.#anchor || last.role === 'user')) this.#anchor = 'start';
    this.#keepAnchor();
    this.#announce();
  }

  /** Scrolls to the newest message, and keeps it in view from now on. */
  showNewest(): void {
    void this.#welcomeText.format(this.#view.chat.base);
    this.#anchor = 'start';
    this.#keepAnchor();
  }

  /**
   * Scrolls the list so that the newest message stays in view. Shows the start of a message that is longer
   * than the panel.
   */
  #keepAnchor(): void {
    if (!this.#anchor) return;
    const { element } = this;
    const last = this.#items.lastElementChild;
    const isOwn = this.#view.chat.messages.at(-1)?.role === 'user';
    if (isOwn || this.#anchor === 'end') element.scrollTop = element.scrollHeight;
    else if (last)
      element.scrollTop += last.getBoundingClientRect().top - element.getBoundingClientRect().top - MARGIN_PX;
    this.#anchoredScrollTop = element.scrollTop;
  }

  #onScroll(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    if (Math.abs(scrollTop - this.#anchoredScrollTop) < 2) return;
    this.#anchor = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM_PX ? 'end' : null;
  }

  /** Makes screen readers announce new messages from now on. */
  startAnnouncing(): void {
    this.#announce();
    this.#isAnnouncing = true;
  }

  readOut(text: string): void {
    this.announcer.textContent = text.slice(0, MAX_ANNOUNCED_LENGTH);
  }

  /**
   * Loads earlier messages of the conversation and adds them above. The displayed messages keep their
   * position on the screen.
   */
  async #readEarlier(): Promise<void> {
    const { chat } = this.#view;
    const { element } = this;
    this.#earlier.disabled = true;
    await chat.attempt(() => chat.readEarlier());
    const fromEnd = element.scrollHeight - element.scrollTop;
    this.update(false);
    element.scrollTop = element.scrollHeight - fromEnd;
    this.#earlier.disabled = false;
  }

  /**
   * Arranges all elements of the list in order. Moves only those at the wrong position, because moving an
   * element removes the visitor's text selection.
   */
  #arrange(): void {
    const { chat, config } = this.#view;
    const { messages, isBetweenSessions } = chat;
    let nextNode = this.#items.firstChild;
    const placeNext = (node: Node) => {
      if (node === nextNode) nextNode = nextNode.nextSibling;
      else this.#items.insertBefore(node, nextNode);
    };
    const startConversation = (key: string) => {
      placeNext(this.#createSeparator(key));
      // Repeat the welcome message if the bot's flow starts with it: each conversation starts the flow again.
      if (config.opening && this.#welcome) placeNext(this.#welcome);
    };
    const items = chat.bookings.listItems();
    const putItems = (before: string) => {
      while (items[0] && items[0].at < before) placeNext(items.shift()!.element);
    };
    const firstOfSession = isBetweenSessions
      ? messages.length
      : messages.findLastIndex(({ startsSession }) => startsSession);
    let position = 0;
    for (const message of messages) {
      putItems(message.createdAt ?? '');
      position += 1;
      const existing = this.#elements.get(message.key) ?? this.#createElement(message);
      this.#elements.set(message.key, existing);
      if (message.startsSession) startConversation(message.key);
      existing.update(message, position === messages.length, position > firstOfSession);
      placeNext(existing.element);
    }
    putItems('~');
    if (isBetweenSessions && config.opening) startConversation('');
    while (nextNode) {
      const following: ChildNode | null = nextNode.nextSibling;
      nextNode.remove();
      nextNode = following;
    }
    if (this.#welcome?.isConnected === false) this.element.prepend(this.#welcome);
    if (this.#elements.size > messages.length) this.#dropElements(new Set(messages.map(({ key }) => key)));
  }

  #createElement(message: ShownMessage): MessageElement | EventLine {
    return message.role === 'system'
      ? new EventLine(message, this.#view)
      : new MessageElement(message, this.#view, this.#openSource);
  }

  #dropElements(present: Set<string>): void {
    for (const key of this.#elements.keys()) if (!present.has(key)) this.#elements.delete(key);
  }

  #createSeparator(key: string): HTMLElement {
    const existing = this.#separators.get(key);
    const separator = existing ?? h('div', { class: 'separator' }, this.#view.texts.newConversation);
    this.#separators.set(key, separator);
    return separator;
  }

  #announce(): void {
    const newest = this.#view.chat.messages.findLast(
      ({ role, state }) => role !== 'user' && state === 'whole',
    );
    if (newest?.key === this.#announcedKey) return;
    this.#announcedKey = newest?.key;
    if (this.#isAnnouncing)
      this.readOut(newest ? (this.#elements.get(newest.key)?.text ?? '') + this.#chips.text : '');
  }

  #createWelcome(): HTMLElement | null {
    const { opening, welcome_message: welcome, name } = this.#view.config;
    const text = opening?.text || welcome;
    if (!text) return null;
    this.#welcomeText.show(text, 'finish');
    return h(
      'div',
      { class: 'message other welcome' },
      h('span', { class: 'unseen' }, `${name}: `),
      h('div', { class: 'bubble' }, this.#welcomeText.element),
    );
  }

  /** Creates the greeting in the message list for a bot without a welcome message. */
  #createOpening(): HTMLElement {
    const { config, texts } = this.#view;
    return h(
      'div',
      { class: 'opening' },
      createAvatar(this.#view),
      h('strong', { dir: 'auto' }, config.name),
      h('p', {}, texts.opening),
    );
  }

  #createStarters(): HTMLElement {
    const { chat, config, texts } = this.#view;
    const sendStarter = (question: string) => {
      // Hide the starter questions, so that a second click does not send another question.
      this.#starters.hidden = true;
      chat.send(question);
    };
    const buttons = config.starter_questions.map((question) =>
      button(question, () => sendStarter(question), 'chip'),
    );
    return h('div', { class: 'starters', role: 'group', 'aria-label': texts.questions }, buttons);
  }
}
