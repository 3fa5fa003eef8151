import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import type { InputRequest } from '../session/api-client.ts';
import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import { recall, remember } from './tab-memory.ts';
import { findInputFormat, type InputFormat } from './input-formats.ts';
import type { View } from './view.ts';

const MAX_HEIGHT_PX = 132;
/** Matches control characters, which are removed from pasted text. */
// oxlint-disable-next-line no-control-regex -- the pattern matches them
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

const QUESTION = /[?？؟]$/;

/** Form with the field in which the visitor writes a message. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #view: View;
  #input: HTMLTextAreaElement | HTMLInputElement;
  readonly #button: HTMLButtonElement;
  /** True while the form's button stops the bot's answer instead of sending a message. */
  #isStop = false;
  /** Format of the text that the current field expects; null if the field accepts any text. */
  #format: InputFormat | null = null;
  /** The flow's input that the visitor wants to answer with free text; null if no such input exists. */
  #freeRequest: InputRequest | null = null;
  /** Text about whose format the visitor was warned. Submitting the same text again sends it. */
  #warnedText = '';
  readonly #draftKey: string;
  /** Key of the visitor who typed the text in the message field. */
  #draftAuthor: string | undefined;
  readonly #problem = h('p', { class: 'problem', id: 'problem', role: 'alert' });

  constructor(view: View) {
    const { texts, signal } = view;
    this.#view = view;
    this.#draftKey = `parley-draft:${view.config.public_key}`;
    this.#input = this.#createField(null);
    this.#button = h('button', { type: 'submit', class: 'send', 'aria-label': texts.send }, icon('send'));
    this.element = h(
      'form',
      // Turn off the browser's own validation, because its messages are not in the widget's language.
      { class: 'composer', novalidate: true, onsubmit: (event: SubmitEvent) => this.#submitMessage(event) },
      h('div', { class: 'row' }, this.#input, this.#button),
      this.#problem,
    );
    window.addEventListener('pagehide', () => this.#saveDraft(), { signal });
    // The browser may show an earlier page again without loading it, so the draft is restored.
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.restoreDraft(), { signal });
  }

  focus(): void {
    this.#input.focus();
    this.#fitHeight();
  }

  /**
   * Shows the field that suits the input a flow asks for. If the visitor is typing, the text is kept: the
   * field stays, or its text moves to a field for any text.
   */
  update(): void {
    const { inputRequest } = this.#view.chat;
    const format = inputRequest === this.#freeRequest ? null : findInputFormat(inputRequest);
    if (format !== this.#format && (!format || !this.#input.value)) this.#replaceField(format);
    this.#updateButton();
  }

  /**
   * Lets the form's button stop the answer while it is generated. The visitor can send a text that is written
   * in the meantime.
   */
  #updateButton(): void {
    const { chat, texts } = this.#view;
    const isStop = chat.canStop && !this.#input.value;
    if (isStop === this.#isStop) return;
    this.#isStop = isStop;
    this.#button.setAttribute('aria-label', isStop ? texts.stop : texts.send);
    this.#button.classList.toggle('stop', isStop);
    this.#button.replaceChildren(icon(isStop ? 'stop' : 'send'));
  }

  /** Replaces the message field by one that accepts any text, until the flow asks for another input. */
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

  /** Stores the text in the message field, so that the next page can restore it for the same conversation. */
  #saveDraft(): void {
    const { chat } = this.#view;
    const { value } = this.#input;
    if (value && this.#draftAuthor === chat.visitorKey)
      remember(this.#draftKey, chat.conversationKey + value);
    this.clear();
  }

  /** Restores a stored text into the message field, and removes it from storage. */
  restoreDraft(): void {
    const { conversationKey } = this.#view.chat;
    const draft = recall(this.#draftKey);
    remember(this.#draftKey, null);
    if (draft?.startsWith(conversationKey)) this.prefill(draft.slice(conversationKey.length));
  }

  /** Writes a text into the message field, unless the visitor has written something. */
  prefill(text: string): void {
    if (this.#input.value) return;
    this.#input.value = text;
    this.#onInput();
  }

  clear(): void {
    this.#input.value = '';
    this.#onInput();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && this.#view.chat.canStop && !event.isComposing) {
      // Stop only the answer: the panel closes if the visitor presses the key again.
      event.stopPropagation();
      event.preventDefault();
      this.#stopAnswer();
    }
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
    // Skip a hidden message field, whose measured height is 0.
    if (scrollHeight > 0) style.height = `${Math.min(scrollHeight + bordersPx, MAX_HEIGHT_PX)}px`;
  }

  #stopAnswer(): void {
    void this.#view.chat.stopAnswer();
    // Do not focus the field on a touch screen, where this opens a keyboard.
    if (!window.matchMedia('(pointer: coarse)').matches) this.focus();
  }

  #submitMessage(event: SubmitEvent): void {
    event.preventDefault();
    // Submitting by the Enter key has no submitter, so it stops no answer.
    if (this.#isStop && event.submitter) return this.#stopAnswer();
    const content = this.#input.value.replace(CONTROL_CHARACTERS, '').trim();
    const { chat, texts } = this.#view;
    const length = countCharacters(content);
    if (length > MAX_MESSAGE_LENGTH) {
      this.#showProblem(fill(texts.tooLong, { length, limit: MAX_MESSAGE_LENGTH }));
      return;
    }
    // Show a problem if the browser reports bad input: the value of an incomplete date is empty.
    if (content === '') return this.#showProblem(this.#input.validity.badInput ? texts.required : '');
    if (this.#warnOnce(content)) return;
    chat.send(content);
    this.clear();
  }

  /**
   * Shows a warning if the text does not match the format of the flow's input. Warns once for each text, and
   * never for a question.
   */
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
