import type { AskedInput } from '../session/api-client.ts';
import { button, h } from './dom.ts';
import { typedKindOf } from './typed-kinds.ts';
import type { View } from './view.ts';

/** What can be said at once to what the visitor is asked for, a button each. */
export class AnswerChips {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #writeFreely: () => void;
  #drawn: AskedInput | null | undefined;

  /** @param writeFreely lets the visitor write what they like */
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

  /** As it is read out after the question. */
  get text(): string {
    const asked = this.#drawn;
    if (asked?.kind !== 'choice') return '';
    return ` ${this.#view.texts.choose}: ${asked.options.map(({ label }) => label).join('; ')}`;
  }

  /** Drawn only when it changes, so that nothing loses the focus. */
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
      // The second click of a double one finds nothing to answer.
      const press = () => {
        if (chat.asked === asked) pressed();
      };
      return button(text, press, 'chip');
    };
    if (asked.kind === 'choice')
      return asked.options.map(({ id, label }) => chip(label, () => chat.send(label, id)));
    // The keyboard for addresses has letters.
    return typedKindOf(asked) && asked.kind !== 'email' ? [chip(texts.other, this.#writeFreely)] : [];
  }
}
