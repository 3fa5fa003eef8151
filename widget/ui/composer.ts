import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import type { AskedInput } from '../session/api-client.ts';
import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import { recall, remember } from './tab-memory.ts';
import { typedKindOf, type TypedKind } from './typed-kinds.ts';
import type { View } from './view.ts';

const MAX_HEIGHT_PX = 132;
/** Come along when something is pasted, and mean nothing to anybody. */
// oxlint-disable-next-line no-control-regex -- they are what it is about
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const QUESTION = /[?？؟]$/;

/** Where the visitor writes. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #view: View;
  #input: HTMLTextAreaElement | HTMLInputElement;
  /** What the field is for; null for any text. */
  #kind: TypedKind | null = null;
  /** What the visitor would rather write freely to. */
  #freed: AskedInput | null = null;
  /** What was complained of, and is sent nevertheless when it is sent once more. */
  #doubted = '';
  readonly #draftKey: string;
  /** Who has written what is in the box. */
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
      // Whoever does not say what is asked for is asked in the widget's own language.
      { class: 'composer', novalidate: true, onsubmit: (event: Event) => this.#submit(event) },
      h('div', { class: 'row' }, this.#input, send),
      this.#problem,
    );
    window.addEventListener('pagehide', () => this.#keep());
    // A page that the browser has kept whole.
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.restore());
  }

  focus(): void {
    this.#input.focus();
    this.#fit();
  }

  /** Has the field of what the visitor is asked for; what is half typed is left alone, and goes along to a field for any text. */
  update(): void {
    const { asked } = this.#view.chat;
    const kind = asked === this.#freed ? null : typedKindOf(asked);
    if (kind !== this.#kind && (!kind || !this.#input.value)) this.#take(kind);
  }

  /** For as long as the same is asked for. */
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

  /** What is half typed goes along to the next page, for the same conversation alone. */
  #keep(): void {
    const { chat } = this.#view;
    const { value } = this.#input;
    if (value && this.#author === chat.visitor) remember(this.#draftKey, chat.conversation + value);
    this.clear();
  }

  /** Puts what was kept into the box, once. */
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
    // Nothing can be measured in a closed panel.
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
    // Half a date is nothing.
    if (content === '') return this.#complain(this.#input.validity.badInput ? texts.required : '');
    if (this.#isDoubtful(content)) return;
    chat.send(content);
    this.clear();
  }

  /** Points out, once, what is not what was asked for: a question of the visitor's own is none, and is welcome. */
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
