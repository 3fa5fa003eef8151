import { listCitedSources, type CitedSource } from '../../browser/cited-sources.ts';
import { toSafeLink } from '../../browser/safe-link.ts';
import type { ShownMessage } from '../session/transcript.ts';
import { fill } from '../texts.ts';
import { AnswerActions } from './answer-actions.ts';
import { button, h, icon, outwardLink } from './dom.ts';
import { FormattedText } from './formatted-text.ts';
import type { View } from './view.ts';

/** HTML element of a message in the conversation. */
export class MessageElement {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #openSource: (source: CitedSource) => void;
  /**
   * Name of the author. Visible only for agents; for the bot and the visitor, only screen readers read it,
   * since the side of the bubble shows the author.
   */
  readonly #name = h('span');
  readonly #bubble = h('div', { class: 'bubble' });
  readonly #below = h('div', { class: 'below' });
  readonly #text = new FormattedText();
  readonly #actions: AnswerActions;
  #message: ShownMessage;
  #sources = new Map<number, CitedSource>();
  #drawnState = '';

  /** @param openSource called when the visitor chooses a source of the answer */
  constructor(message: ShownMessage, view: View, openSource: (source: CitedSource) => void) {
    this.#message = message;
    this.#view = view;
    this.#openSource = openSource;
    this.#actions = new AnswerActions(message, view);
    const side = message.role === 'user' ? 'user' : 'other';
    this.element = h(
      'div',
      { class: `message ${side}`, 'data-role': message.role, id: message.key },
      this.#name,
      this.#bubble,
      this.#below,
      this.#actions.element,
      this.#actions.reasonElement,
    );
    if (message.role !== 'user') {
      this.#bubble.append(this.#text.element);
      void this.#text.format(view.chat.base, (index) => this.#renderCitation(index));
    } else this.#bubble.dir = 'auto';
  }

  get speaker(): string {
    const { config, texts } = this.#view;
    const { role, author } = this.#message;
    if (role === 'user') return texts.you;
    return role === 'agent' ? author || texts.team : config.name;
  }

  /** Text of the message for screen readers. Separates the cells and rows of tables by punctuation. */
  get text(): string {
    const { isStopped } = this.#message;
    const text = this.#bubble.innerText.replace(/\t/g, ', ').replace(/(\S)\n(?=\S)/g, '$1; ');
    return `${this.speaker}: ${text}${isStopped ? ` ${this.#view.texts.stopped}` : ''}`;
  }

  /**
   * Draws the message's element again if the message has changed.
   * @param isRatable whether the message belongs to the current session
   * @returns whether it has changed
   */
  update(message: ShownMessage, isLast: boolean, isRatable: boolean): boolean {
    this.#message = message;
    this.#actions.update(message, isRatable);
    const { content, state, failure, isError, isStopped, citations } = message;
    const fingerprint = `${this.speaker} ${state} ${content.length} ${failure} ${(isError || isStopped) && isLast} ${citations.length} ${message.startsSession}`;
    if (fingerprint === this.#drawnState) return false;
    this.#drawnState = fingerprint;
    const isPerson = message.role === 'agent';
    this.#name.className = isPerson ? 'author' : 'unseen';
    this.#name.textContent = isPerson ? this.speaker : `${this.speaker}: `;
    this.element.hidden = state === 'growing' && content === '';
    this.element.classList.toggle('sending', state === 'sending');
    this.element.classList.toggle('error', isError);
    this.#bubble.hidden = content === '' && isStopped;
    this.#sources = listCitedSources(content, citations);
    if (message.role === 'user') this.#bubble.textContent = content;
    else this.#text.show(content, state === 'growing' ? 'grow' : 'finish');
    this.#below.replaceChildren(...this.#createExtras(message, isLast));
    return true;
  }

  #createExtras({ state, failure, isError, isStopped, citations }: ShownMessage, isLast: boolean): Node[] {
    const { chat, texts } = this.#view;
    if (state === 'sending') return [h('small', {}, texts.sending)];
    if (state === 'failed') {
      const retry = () => chat.retry(this.#message);
      return [h('small', { class: 'failure' }, failure), button(texts.tryAgain, retry, 'text')];
    }
    const askAgain =
      (isError || isStopped) && isLast ? button(texts.askAgain, () => chat.askAgain(), 'text') : null;
    return [
      ...(citations.length > 0 && !isError ? [this.#createSourceList()] : []),
      ...(isStopped ? [h('small', {}, texts.stopped)] : []),
      ...(askAgain ? [askAgain] : []),
    ];
  }

  #createSourceList(): Node {
    const items = [...new Set(this.#sources.values())].map((source) => {
      const { number, title, url } = source;
      const chip = button('', () => this.#openSource(source), 'chip');
      chip.append(icon(toSafeLink(url) ? 'page' : 'file'), h('span', {}, `${number}. ${title}`));
      return h('li', {}, chip);
    });
    return h('ul', { class: 'sources', 'aria-label': this.#view.texts.sources }, items);
  }

  /** Renders a citation as a link to the cited page, or as a button that shows the quoted text. */
  #renderCitation(index: number): Node | null {
    const source = this.#sources.get(index);
    // Show nothing in place of a citation while the answer is incomplete: the numbers of its sources are not
    // known yet.
    if (!source) return this.#message.state === 'growing' ? document.createTextNode('') : null;
    const { number, title, url } = source;
    const href = toSafeLink(url);
    const text = String(number);
    const mark = href ? outwardLink(href, text) : button(text, () => this.#openSource(source), 'text');
    mark.setAttribute('aria-label', fill(this.#view.texts.source, { index: number, title }));
    return h('sup', {}, mark);
  }
}
