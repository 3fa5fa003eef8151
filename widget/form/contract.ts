import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig } from '../../api/widget/widget.schemas.ts';
import type { Texts } from '../texts.ts';

// Types shared by the widget's script and the form part, a script that the widget loads on demand. As with
// bookings, the part's URL contains a digest of this file.

type LeadCapture = NonNullable<WidgetConfig['lead_capture']>;

/** Functions of the conversation, which the widget provides to the form part. */
interface FormChat {
  readonly lead: {
    submit(fields: Record<string, unknown>): Promise<void>;
    dismiss(): void;
  };
  /** Message for the visitor about the last operation, such as an error; null if none. */
  notice: string | null;
  /** The input that a flow asks the visitor for, such as contact details; null if none. */
  readonly inputRequest: VisitorMessageRead['input'];
  send(text: string, optionId?: string): void;
}

export interface FormModule {
  /**
   * Fills an element with the form for contact details.
   * @param describeError describes an error for the visitor
   * @param onDone called when the form was submitted or dismissed
   */
  showForm(
    place: HTMLElement,
    form: LeadCapture,
    chat: FormChat,
    words: Texts,
    describeError: (error: unknown, words: Texts) => string,
    onDone: () => void,
  ): void;
}
