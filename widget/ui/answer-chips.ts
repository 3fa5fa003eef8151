import type { AskedInput } from '../session/api-client.ts';
import { button, h } from './dom.ts';
import { typedKindOf } from './typed-kinds.ts';
import type { View } from './view.ts';

/** Buttons with answers to the input that a flow asks for. */
export class AnswerChips {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #writeFreely: () => void;
  #drawn: AskedInput | null | undefined;

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
    const asked = this.#drawn;
    if (asked?.kind !== 'choice') return '';
    return ` ${this.#view.texts.choose}: ${asked.options.map(({ label }) => label).join('; ')}`;
  }

  /** Redraws only after a change, so that no button loses the focus. */
  update(): void {
    const { asked } = this.#view.chat;
    if (asked === this.#drawn) return;
    this.#drawn = asked;
    const chips = asked ? this.#chips(asked) : [];
    this.element.hidden = chips.length === 0;
    this.element.replaceChildren(...chips);
  }

  #chips(asked: AskedInput): HTMLElement[] {
    const { chat, texts } = this.#view;
    const chip = (text: string, pressed: () => void) => {
      // A second click finds that the input is answered.
      const press = () => {
        if (chat.asked === asked) pressed();
      };
      return button(text, press, 'chip');
    };
    if (asked.kind === 'choice')
      return asked.options.map(({ id, label }) => chip(label, () => chat.send(label, id)));
    // An email keyboard can type any text, so email needs no button.
    return typedKindOf(asked) && asked.kind !== 'email' ? [chip(texts.other, this.#writeFreely)] : [];
  }
}
