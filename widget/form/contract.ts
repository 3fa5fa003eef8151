import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig } from '../../api/widget/widget.schemas.ts';
import type { Texts } from '../texts.ts';

// Contract between the widget's script and the form part, which is a separate script; see the contract of bookings.

type LeadCapture = NonNullable<WidgetConfig['lead_capture']>;

/** The conversation, for the part. */
interface FormChat {
  readonly lead: {
    /** True if the form precedes the first message. */
    readonly isBeforeChat: boolean;
    submit(fields: Record<string, unknown>): Promise<void>;
    refuse(): Promise<void>;
    dismiss(): void;
  };
  /** Message for the visitor about the last operation. */
  notice: string | null;
  /** Input that a flow asks for. */
  readonly inputRequest: VisitorMessageRead['input'];
  send(text: string, optionId?: string): void;
  attempt(work: () => Promise<void>): Promise<void>;
}

export interface FormModule {
  /**
   * Replaces a sheet by the form.
   * @param explain describes an error for the visitor
   * @param done called when the form was submitted or dismissed
   */
  showForm(
    sheet: HTMLElement,
    form: LeadCapture,
    chat: FormChat,
    words: Texts,
    describeError: (error: unknown, words: Texts) => string,
    onDone: () => void,
  ): void;
}
