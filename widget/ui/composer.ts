import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import type { AskedInput } from '../session/api-client.ts';
import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import { recall, remember } from './tab-memory.ts';
import { typedKindOf, type TypedKind } from './typed-kinds.ts';
import type { View } from './view.ts';

const MAX_HEIGHT_PX = 132;
/** Control characters, which pasted text may contain. */
// oxlint-disable-next-line no-control-regex -- they are what it is about
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const QUESTION = /[?？؟]$/;

/** The form in which the visitor writes. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #view: View;
  #input: HTMLTextAreaElement | HTMLInputElement;
  /** Format of the field; null for any text. */
  #kind: TypedKind | null = null;
  /** Input that the visitor answers with free text instead. */
  #freed: AskedInput | null = null;
  /** Text that was warned about; submitting it again sends it. */
  #doubted = '';
  readonly #draftKey: string;
  /** Visitor who wrote the text in the field. */
  #author: string | undefined;
  readonly #problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });

  constructor(view: View) {
    const { texts } = view;
    this.#view = view;
    this.#draftKey = `parley-draft:${view.config.public_key}`;
    this.#input = this.#field(null);
    const send = h('button', { type: 'submit', class: 'send', 'aria-label': texts.send }, icon('send'));
    this.element = h(
      'form',
      // The browser's own validation is off: its messages are not in the widget's language.
      { class: 'composer', novalidate: true, onsubmit: (event: Event) => this.#submit(event) },
      h('div', { class: 'row' }, this.#input, send),
      this.#problem,
    );
    window.addEventListener('pagehide', () => this.#keep());
    // The browser may restore a page from memory.
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.restore());
  }

  focus(): void {
    this.#input.focus();
    this.#fit();
  }

  /**
   * Shows the field for the input that is asked for. A half-typed text is not lost: the field stays, or hands it to
   * one for any text.
   */
  update(): void {
    const { asked } = this.#view.chat;
    const kind = asked === this.#freed ? null : typedKindOf(asked);
    if (kind !== this.#kind && (!kind || !this.#input.value)) this.#take(kind);
  }

  /** Lets the visitor type any text until the input changes. */
  writeFreely(): void {
    this.#freed = this.#view.chat.asked;
    this.#take(null);
    this.focus();
  }

  #take(kind: TypedKind | null): void {
    const former = this.#input;
    const hadFocus = former.matches(':focus');
    this.#kind = kind;
    this.#input = this.#field(kind);
    this.#input.value = former.value;
    former.replaceWith(this.#input);
    this.#complain('');
    if (hadFocus) this.focus();
    else this.#fit();
  }

  #field(kind: TypedKind | null): HTMLTextAreaElement | HTMLInputElement {
    const { texts } = this.#view;
    const attributes = {
      'aria-label': texts.input,
      'aria-describedby': 'problem',
      placeholder: texts.placeholder,
      enterkeyhint: 'send',
      oninput: () => this.#typed(),
      onkeydown: (event: KeyboardEvent) => this.#pressed(event),
    };
    return kind
      ? h('input', { ...attributes, ...kind.attributes })
      : h('textarea', { ...attributes, rows: 1 });
  }

  /** Stores a half-typed text for the next page, but only for the same conversation. */
  #keep(): void {
    const { chat } = this.#view;
    const { value } = this.#input;
    if (value && this.#author === chat.visitor) remember(this.#draftKey, chat.conversation + value);
    this.clear();
  }

  /** Restores the stored text once. */
  restore(): void {
    const { conversation } = this.#view.chat;
    const kept = recall(this.#draftKey);
    remember(this.#draftKey, null);
    if (this.#input.value || !kept?.startsWith(conversation)) return;
    this.#input.value = kept.slice(conversation.length);
    this.#typed();
  }

  clear(): void {
    this.#input.value = '';
    this.#typed();
  }

  #pressed(event: KeyboardEvent): void {
    const isSending = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (!isSending) return;
    event.preventDefault();
    this.element.requestSubmit();
  }

  #typed(): void {
    this.#author = this.#view.chat.visitor;
    this.#complain('');
    this.#fit();
    this.update();
  }

  #fit(): void {
    const { style } = this.#input;
    style.height = 'auto';
    const { scrollHeight, offsetHeight, clientHeight } = this.#input;
    const bordersPx = offsetHeight - clientHeight;
    // A hidden element has no size.
    if (scrollHeight > 0) style.height = `${Math.min(scrollHeight + bordersPx, MAX_HEIGHT_PX)}px`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    const content = this.#input.value.replace(CONTROL_CHARACTERS, '').trim();
    const { chat, texts } = this.#view;
    const length = countCharacters(content);
    if (length > MAX_MESSAGE_LENGTH) {
      this.#complain(fill(texts.tooLong, { length, limit: MAX_MESSAGE_LENGTH }));
      return;
    }
    // An incomplete date has an empty value.
    if (content === '') return this.#complain(this.#input.validity.badInput ? texts.required : '');
    if (this.#isDoubtful(content)) return;
    chat.send(content);
    this.clear();
  }

  /** Warns once about text that does not match the input. A visitor's own question is always accepted. */
  #isDoubtful(content: string): boolean {
    const { texts } = this.#view;
    const isFine = !this.#kind || this.#kind.pattern.test(content) || QUESTION.test(content);
    if (isFine || content === this.#doubted) return false;
    this.#doubted = content;
    this.#complain(`${texts[this.#kind!.problem]} ${texts.anyway}`);
    return true;
  }

  #complain(problem: string): void {
    this.#problem.textContent = problem;
    this.#input.setAttribute('aria-invalid', String(problem !== ''));
  }
}
