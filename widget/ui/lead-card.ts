import type { FormModule } from '../form/contract.ts';
import { describeFailure } from '../session/failure-text.ts';
import { loadPart } from '../session/load-part.ts';
import { h } from './dom.ts';
import type { View } from './view.ts';

/** Card below the last message with the form that asks for contact details. */
export class LeadCard {
  readonly element = h('div', { class: 'cards' });
  readonly #view: View;
  readonly #onClosed: (hadFocus: boolean) => void;
  #isOpen = false;
  /**
   * True if the script of the form could not be loaded. The visitor may then chat without completing the
   * form.
   */
  #isUnavailable = false;

  /** @param onClosed called after the visitor has completed or dismissed the form */
  constructor(view: View, onClosed: (hadFocus: boolean) => void) {
    this.#view = view;
    this.#onClosed = onClosed;
  }

  /**
   * True if the visitor must complete or dismiss the form for contact details before writing the first
   * message.
   */
  get isRequired(): boolean {
    const { lead } = this.#view.chat;
    return this.#isOpen && lead.isDue && lead.isBeforeChat;
  }

  get hasFocus(): boolean {
    return this.element.matches(':focus-within');
  }

  /**
   * Shows the form for contact details if it is due, but not while an answer is incomplete, which the form
   * would follow.
   */
  showIfDue(): void {
    const { chat } = this.#view;
    if (this.#isUnavailable || chat.isAwaitingAnswer) return;
    if (chat.lead.isDue || (chat.status === 'waiting_human' && chat.lead.canBeOffered)) this.show();
  }

  /** Shows the form for contact details once its script is loaded. */
  show(takesFocus = false): void {
    const { chat, config, texts } = this.#view;
    const { lead_capture: lead } = config;
    if (!lead) return;
    if (this.#isOpen) {
      if (takesFocus) this.focus();
      return;
    }
    this.#isOpen = true;
    const load = async () => {
      const { showForm } = await loadPart<FormModule>(chat.base, 'form');
      if (!this.#isOpen) return;
      showForm(this.element, lead, chat, texts, describeFailure, () => this.#close());
      // The list of messages has the focus if the form was to get it before its script was loaded.
      if (takesFocus || this.element.parentElement?.matches(':focus')) this.focus();
    };
    const onFailure = (error: unknown) => {
      this.#isUnavailable = true;
      this.#close();
      throw error;
    };
    void chat.attempt(() => load().catch(onFailure));
  }

  /**
   * Focuses the title of the form for contact details.
   * @returns false if its script is not loaded yet
   */
  focus(): boolean {
    this.element.scrollIntoView({ block: 'nearest' });
    const title = this.element.querySelector('h2');
    title?.focus();
    return title !== null;
  }

  /** Closes the form for contact details. The widget does not ask this visitor again. */
  dismiss(): void {
    this.#view.chat.lead.dismiss();
    this.#close();
  }

  /** Removes the form for contact details without a decision of the visitor. */
  drop(): void {
    this.#isOpen = false;
    this.element.replaceChildren();
  }

  #close(): void {
    const { hasFocus } = this;
    this.drop();
    this.#onClosed(hasFocus);
  }
}
