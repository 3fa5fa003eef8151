import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import type { InputRequest } from '../session/api-client.ts';
import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import { recall, remember } from './tab-memory.ts';
import { findInputFormat, type InputFormat } from './input-formats.ts';
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
  #format: InputFormat | null = null;
  /** Input that the visitor answers with free text instead. */
  #freeRequest: InputRequest | null = null;
  /** Text that was warned about; submitting it again sends it. */
  #warnedText = '';
  readonly #draftKey: string;
  /** Visitor who wrote the text in the field. */
  #draftAuthor: string | undefined;
  readonly #problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });

  constructor(view: View) {
    const { texts } = view;
    this.#view = view;
    this.#draftKey = `parley-draft:${view.config.public_key}`;
    this.#input = this.#createField(null);
    const send = h('button', { type: 'submit', class: 'send', 'aria-label': texts.send }, icon('send'));
    this.element = h(
      'form',
      // The browser's own validation is off: its messages are not in the widget's language.
      { class: 'composer', novalidate: true, onsubmit: (event: Event) => this.#submit(event) },
      h('div', { class: 'row' }, this.#input, send),
      this.#problem,
    );
    window.addEventListener('pagehide', () => this.#saveDraft());
    // The browser may restore a page from memory.
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.restoreDraft());
  }

  focus(): void {
    this.#input.focus();
    this.#fitHeight();
  }

  /**
   * Shows the field for the input that is asked for. A half-typed text is not lost: the field stays, or hands it to
   * one for any text.
   */
  update(): void {
    const { inputRequest } = this.#view.chat;
    const format = inputRequest === this.#freeRequest ? null : findInputFormat(inputRequest);
    if (format !== this.#format && (!format || !this.#input.value)) this.#replaceField(format);
  }

  /** Lets the visitor type any text until the input changes. */
  writeFreely(): void {
    this.#freeRequest = this.#view.chat.inputRequest;
    this.#replaceField(null);
    this.focus();
  }

  #replaceField(format: InputFormat | null): void {
    const oldInput = this.#input;
    const hadFocus = oldInput.matches(':focus');
    this.#format = format;
    this.#input = this.#createField(format);
    this.#input.value = oldInput.value;
    oldInput.replaceWith(this.#input);
    this.#showProblem('');
    if (hadFocus) this.focus();
    else this.#fitHeight();
  }

  #createField(format: InputFormat | null): HTMLTextAreaElement | HTMLInputElement {
    const { texts } = this.#view;
    const attributes = {
      'aria-label': texts.input,
      'aria-describedby': 'problem',
      placeholder: texts.placeholder,
      enterkeyhint: 'send',
      oninput: () => this.#onInput(),
      onkeydown: (event: KeyboardEvent) => this.#onKeyDown(event),
    };
    return format
      ? h('input', { ...attributes, ...format.attributes })
      : h('textarea', { ...attributes, rows: 1 });
  }

  /** Stores a half-typed text for the next page, but only for the same conversation. */
  #saveDraft(): void {
    const { chat } = this.#view;
    const { value } = this.#input;
    if (value && this.#draftAuthor === chat.visitorKey)
      remember(this.#draftKey, chat.conversationKey + value);
    this.clear();
  }

  /** Restores the stored text once. */
  restoreDraft(): void {
    const { conversationKey } = this.#view.chat;
    const draft = recall(this.#draftKey);
    remember(this.#draftKey, null);
    if (this.#input.value || !draft?.startsWith(conversationKey)) return;
    this.#input.value = draft.slice(conversationKey.length);
    this.#onInput();
  }

  clear(): void {
    this.#input.value = '';
    this.#onInput();
  }

  #onKeyDown(event: KeyboardEvent): void {
    const isSending = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (!isSending) return;
    event.preventDefault();
    this.element.requestSubmit();
  }

  #onInput(): void {
    this.#draftAuthor = this.#view.chat.visitorKey;
    this.#showProblem('');
    this.#fitHeight();
    this.update();
  }

  #fitHeight(): void {
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
      this.#showProblem(fill(texts.tooLong, { length, limit: MAX_MESSAGE_LENGTH }));
      return;
    }
    // An incomplete date has an empty value.
    if (content === '') return this.#showProblem(this.#input.validity.badInput ? texts.required : '');
    if (this.#warnOnce(content)) return;
    chat.send(content);
    this.clear();
  }

  /** Warns once about text that does not match the input. A visitor's own question is always accepted. */
  #warnOnce(content: string): boolean {
    const { texts } = this.#view;
    const isValid = !this.#format || this.#format.pattern.test(content) || QUESTION.test(content);
    if (isValid || content === this.#warnedText) return false;
    this.#warnedText = content;
    this.#showProblem(`${texts[this.#format!.problem]} ${texts.anyway}`);
    return true;
  }

  #showProblem(problem: string): void {
    this.#problem.textContent = problem;
    this.#input.setAttribute('aria-invalid', String(problem !== ''));
  }
}
