import type { InputRequest } from '../session/api-client.ts';
import { button, h } from './dom.ts';
import { findInputFormat } from './input-formats.ts';
import type { View } from './view.ts';

/**
 * Buttons for answering the input that a flow asks for: its options or, for other inputs, a switch to free
 * text.
 */
export class AnswerChips {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #writeFreely: () => void;
  #drawnRequest: InputRequest | null | undefined;

  /** @param writeFreely called when the visitor wants to type any text instead */
  constructor(view: View, writeFreely: () => void) {
    this.#view = view;
    this.#writeFreely = () => {
      this.element.hidden = true;
      writeFreely();
    };
    this.element = h('div', {
      class: 'starters',
      role: 'group',
      'aria-label': view.texts.choose,
    });
  }

  /** Options of the question as a text, which screen readers read after the question. */
  get text(): string {
    const inputRequest = this.#drawnRequest;
    if (inputRequest?.kind !== 'choice') return '';
    return ` ${this.#view.texts.choose}: ${inputRequest.options.map(({ label }) => label).join('; ')}`;
  }

  /**
   * Draws the answer buttons again if the flow asks for another input. Otherwise the focused button stays.
   */
  update(): void {
    const { inputRequest } = this.#view.chat;
    if (inputRequest === this.#drawnRequest) return;
    this.#drawnRequest = inputRequest;
    const chips = inputRequest ? this.#createChips(inputRequest) : [];
    this.element.hidden = chips.length === 0;
    this.element.replaceChildren(...chips);
  }

  #createChips(inputRequest: InputRequest): HTMLElement[] {
    const { chat, texts } = this.#view;
    const createChip = (text: string, onPress: () => void) => {
      // Ignore a second click on an answer button, which would answer the flow's next input.
      const answerOnce = () => {
        if (chat.inputRequest === inputRequest) onPress();
      };
      return button(text, answerOnce, 'chip');
    };
    if (inputRequest.kind === 'choice')
      return inputRequest.options.map(({ id, label }) => createChip(label, () => chat.send(label, id)));
    // An email field accepts any text, so the visitor needs no button for free text.
    return findInputFormat(inputRequest) && inputRequest.kind !== 'email'
      ? [createChip(texts.other, this.#writeFreely)]
      : [];
  }
}
