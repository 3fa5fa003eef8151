import { MarkdownView } from '../../browser/markdown-view.ts';
import type { ShownMessage } from '../session/transcript.ts';
import { fill } from '../texts.ts';
import type { AnswerChips } from './answer-chips.ts';
import { avatar } from './avatar.ts';
import { button, h } from './dom.ts';
import { EventLine } from './event-line.ts';
import { MessageElement } from './message-element.ts';
import type { View } from './view.ts';

/** A reader who has scrolled up further than this is not scrolled down. */
const NEAR_BOTTOM_PX = 80;
const MAX_ANNOUNCED_LENGTH = 2000;
/** Space above the message whose beginning is shown. */
const MARGIN_PX = 14;

/** The conversation, and a live region that announces new messages. */
export class MessageList {
  readonly element: HTMLElement;
  readonly announcer = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  readonly #view: View;
  readonly #elements = new Map<string, MessageElement | EventLine>();
  readonly #separators = new Map<string, HTMLElement>();
  readonly #items = h('div', { class: 'items' });
  readonly #starters: HTMLElement;
  readonly #chips: AnswerChips;
  /** The bot's welcome message. */
  readonly #welcome: HTMLElement | null;
  /** Shown before the first message if the bot has no welcome message. */
  readonly #opening: HTMLElement | null;
  readonly #earlier: HTMLButtonElement;
  readonly #typing = h('div', { class: 'typing', role: 'img' }, h('i'), h('i'), h('i'));
  /**
   * Part of the newest message that stays in view: its start, its end after the reader has scrolled there, or null.
   */
  #keeps: 'start' | 'end' | null = 'start';
  /** Scroll position of that part. */
  #keptAt = 0;
  #announced: string | undefined;
  #isAnnouncing = false;

  constructor(view: View, chips: AnswerChips) {
    const { config, texts } = view;
    this.#view = view;
    this.#chips = chips;
    this.#welcome = this.#welcomeOf();
    this.#opening = this.#welcome ? null : this.#openingOf();
    this.#starters = this.#starterQuestions();
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
    );
    this.element.addEventListener('scroll', () => this.#scrolled());
    // Elements below the conversation change its height.
    new ResizeObserver(() => this.#keep()).observe(this.element);
  }

  /** @param offersQuestions whether starter questions may be shown now */
  update(offersQuestions: boolean): void {
    const { messages, isTyping, hasEarlier, asked } = this.#view.chat;
    const last = messages.at(-1);
    const isNew = last !== undefined && !this.#elements.has(last.key);
    if (this.#opening) this.#opening.hidden = messages.length > 0;
    this.#starters.hidden = messages.length > 0 || !offersQuestions || asked !== null;
    this.#earlier.hidden = !hasEarlier;
    this.#typing.hidden = !isTyping;
    this.#arrange();
    this.#chips.update();
    if (isNew && (this.#keeps || last.role === 'user')) this.#keeps = 'start';
    this.#keep();
    this.#announce();
  }

  /** Scrolls to the newest message and follows the conversation. */
  showNewest(): void {
    this.#keeps = 'start';
    this.#keep();
  }

  /** Scrolls a message that is longer than the panel to its first line. */
  #keep(): void {
    if (!this.#keeps) return;
    const { element } = this;
    const last = this.#items.lastElementChild;
    const isOwn = this.#view.chat.messages.at(-1)?.role === 'user';
    if (isOwn || this.#keeps === 'end') element.scrollTop = element.scrollHeight;
    else if (last)
      element.scrollTop += last.getBoundingClientRect().top - element.getBoundingClientRect().top - MARGIN_PX;
    this.#keptAt = element.scrollTop;
  }

  #scrolled(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    if (Math.abs(scrollTop - this.#keptAt) < 2) return;
    this.#keeps = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM_PX ? 'end' : null;
  }

  /** Announces messages from now on. */
  startAnnouncing(): void {
    this.#announce();
    this.#isAnnouncing = true;
  }

  say(text: string): void {
    this.announcer.textContent = text.slice(0, MAX_ANNOUNCED_LENGTH);
  }

  /** The displayed messages keep their position on the screen. */
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

  /** Moves only elements whose position has changed, since moving one loses the visitor's selection. */
  #arrange(): void {
    const { chat, config } = this.#view;
    const { messages, isBetweenSessions } = chat;
    let place = this.#items.firstChild;
    const put = (node: Node) => {
      if (node === place) place = place.nextSibling;
      else this.#items.insertBefore(node, place);
    };
    const begin = (key: string) => {
      put(this.#separator(key));
      // A flow starts over with each conversation.
      if (config.opening && this.#welcome) put(this.#welcome);
    };
    const steps = chat.bookings.steps();
    const putSteps = (before: string) => {
      while (steps[0] && steps[0].at < before) put(steps.shift()!.element);
    };
    let count = 0;
    for (const message of messages) {
      putSteps(message.createdAt ?? '');
      count += 1;
      const known = this.#elements.get(message.key) ?? this.#element(message);
      this.#elements.set(message.key, known);
      if (message.startsSession) begin(message.key);
      known.update(message, count === messages.length);
      put(known.element);
    }
    putSteps('~');
    if (isBetweenSessions && config.opening) begin('');
    while (place) {
      const next: ChildNode | null = place.nextSibling;
      place.remove();
      place = next;
    }
    if (this.#welcome?.isConnected === false) this.element.prepend(this.#welcome);
    if (this.#elements.size > messages.length) this.#forgetGone(new Set(messages.map(({ key }) => key)));
  }

  #element(message: ShownMessage): MessageElement | EventLine {
    const Element = message.role === 'system' ? EventLine : MessageElement;
    return new Element(message, this.#view);
  }

  #forgetGone(present: Set<string>): void {
    for (const key of this.#elements.keys()) if (!present.has(key)) this.#elements.delete(key);
  }

  #separator(key: string): HTMLElement {
    const known = this.#separators.get(key);
    const separator = known ?? h('div', { class: 'separator' }, this.#view.texts.newConversation);
    this.#separators.set(key, separator);
    return separator;
  }

  #announce(): void {
    const newest = this.#view.chat.messages.findLast(
      ({ role, state }) => role !== 'user' && state === 'whole',
    );
    if (newest?.key === this.#announced) return;
    this.#announced = newest?.key;
    if (this.#isAnnouncing)
      this.say(newest ? (this.#elements.get(newest.key)?.text ?? '') + this.#chips.text : '');
  }

  #welcomeOf(): HTMLElement | null {
    const { opening, welcome_message: welcome, name } = this.#view.config;
    const text = opening?.text || welcome;
    if (!text) return null;
    const markdown = new MarkdownView();
    markdown.finish(text);
    return h(
      'div',
      { class: 'message other welcome' },
      h('span', { class: 'unseen' }, `${name}: `),
      h('div', { class: 'bubble' }, markdown.element),
    );
  }

  /** Creates the opening of a bot without a welcome message. */
  #openingOf(): HTMLElement {
    const { config, texts } = this.#view;
    return h(
      'div',
      { class: 'opening' },
      avatar(this.#view),
      h('strong', { dir: 'auto' }, config.name),
      h('p', {}, texts.opening),
    );
  }

  #starterQuestions(): HTMLElement {
    const { chat, config, texts } = this.#view;
    const ask = (question: string) => {
      // A second click finds the questions hidden.
      this.#starters.hidden = true;
      chat.send(question);
    };
    const buttons = config.starter_questions.map((question) => button(question, () => ask(question), 'chip'));
    return h('div', { class: 'starters', role: 'group', 'aria-label': texts.questions }, buttons);
  }
}
