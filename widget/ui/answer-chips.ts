import type { InputRequest } from '../session/api-client.ts';
import { button, h } from './dom.ts';
import { findInputFormat } from './input-formats.ts';
import type { View } from './view.ts';

/** Buttons with answers to the input that a flow asks for. */
export class AnswerChips {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #writeFreely: () => void;
  #drawnRequest: InputRequest | null | undefined;

  /** @param writeFreely lets the visitor type any text */
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

  /** Text for screen readers, read after the question. */
  get text(): string {
    const inputRequest = this.#drawnRequest;
    if (inputRequest?.kind !== 'choice') return '';
    return ` ${this.#view.texts.choose}: ${inputRequest.options.map(({ label }) => label).join('; ')}`;
  }

  /** Redraws only after a change, so that no button loses the focus. */
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
      // A second click finds that the input is answered.
      const answerOnce = () => {
        if (chat.inputRequest === inputRequest) onPress();
      };
      return button(text, answerOnce, 'chip');
    };
    if (inputRequest.kind === 'choice')
      return inputRequest.options.map(({ id, label }) => createChip(label, () => chat.send(label, id)));
    // An email keyboard can type any text, so email needs no button.
    return findInputFormat(inputRequest) && inputRequest.kind !== 'email'
      ? [createChip(texts.other, this.#writeFreely)]
      : [];
  }
}
