import type { RatingModule } from '../rating/contract.ts';
import { loadPart } from '../session/load-part.ts';
import type { ShownMessage } from '../session/transcript.ts';
import { h, icon } from './dom.ts';
import type { View } from './view.ts';

const thumbs = ['up', 'down'] as const;

/** Milliseconds for which a mark on the button shows that the answer was copied. */
const COPIED_MS = 2000;

/** Buttons below a bot's answer: one copies it, and two say whether it helped. */
export class AnswerActions {
  readonly element = h('div', { class: 'thumbs', hidden: true });
  /** Element in which the widget asks the visitor what is wrong with the answer. */
  readonly reasonElement = h('div');
  readonly #view: View;
  readonly #buttons: HTMLButtonElement[];
  #message: ShownMessage;

  constructor(message: ShownMessage, view: View) {
    this.#message = message;
    this.#view = view;
    const { texts } = view;
    this.#buttons = thumbs.map((thumb) => {
      const label = texts[thumb === 'up' ? 'helpful' : 'unhelpful'];
      const onclick = () => this.#press(thumb);
      const attributes = {
        type: 'button',
        class: `thumb ${thumb}`,
        'aria-label': label,
        title: label,
        onclick,
      };
      return h('button', attributes, icon('thumb'));
    });
    this.element.append(...(navigator.clipboard ? [this.#createCopyButton()] : []), ...this.#buttons);
  }

  #createCopyButton(): HTMLElement {
    const { texts } = this.#view;
    const copy = h(
      'button',
      {
        type: 'button',
        class: 'thumb',
        'aria-label': texts.copy,
        onclick: () => void write(),
      },
      icon('copy'),
    );
    const show = (text: string, name: 'copy' | 'check'): void => {
      copy.setAttribute('aria-label', text);
      copy.replaceChildren(icon(name));
    };
    const write = async (): Promise<void> => {
      const { content, citations } = this.#message;
      await navigator.clipboard.writeText(removeCitations(content, citations.length));
      show(texts.copied, 'check');
      setTimeout(() => show(texts.copy, 'copy'), COPIED_MS);
    };
    return copy;
  }

  /** @param isRatable whether the message belongs to the current session, so that the visitor can rate it */
  update(message: ShownMessage, isRatable: boolean): void {
    this.#message = message;
    const { role, state, content, isError, rating, input } = message;
    // A message that asks for input is a step of a flow.
    const isAnswer = role === 'assistant' && state === 'whole' && content !== '' && !isError && !input;
    this.element.hidden = !isAnswer;
    this.element.classList.toggle('rated', rating !== null);
    thumbs.forEach((thumb, index) => {
      this.#buttons[index]!.hidden = !isRatable;
      this.#buttons[index]!.setAttribute('aria-pressed', String(thumb === rating));
    });
    if (!isAnswer || !isRatable || rating !== 'down') this.reasonElement.replaceChildren();
  }

  /**
   * Stores the visitor's rating, or removes it if the same button is pressed again. Asks for the reason of a
   * thumb down.
   */
  #press(thumb: 'up' | 'down'): void {
    const { chat, texts } = this.#view;
    const message = this.#message;
    const rating = message.rating === thumb ? null : thumb;
    void chat.attempt(async () => {
      await chat.rateAnswer(message, rating);
      if (message.rating !== 'down') return;
      const { askReason } = await loadPart<RatingModule>(chat.base, 'rating');
      askReason(this.reasonElement, chat.language, texts, (details) =>
        chat.attempt(async () => {
          await chat.rateAnswer(message, 'down', details);
          chat.notice = texts.rated;
        }),
      );
    });
  }
}

/** Removes citations such as `[1]` from a copied answer: they mean nothing outside the conversation. */
function removeCitations(text: string, count: number): string {
  return text.replace(/ ?\[(\d{1,3})\]/g, (mark, index) => (Number(index) <= count ? '' : mark));
}
