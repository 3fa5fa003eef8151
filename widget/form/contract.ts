import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig } from '../../api/widget/widget.schemas.ts';
import type { Texts } from '../texts.ts';

// What the widget's script and the part for contact details, a script of its own, know of each other: see the contract of bookings.

type LeadCapture = NonNullable<WidgetConfig['lead_capture']>;

/** The conversation, for the part. */
interface FormTalk {
  readonly lead: {
    /** The form comes before the first message. */
    readonly isFirst: boolean;
    submit(fields: Record<string, unknown>): Promise<void>;
    refuse(): Promise<void>;
    settle(): void;
  };
  /** What the visitor should know of what has just happened. */
  notice: string | null;
  /** What a flow asks for. */
  readonly asked: VisitorMessageRead['input'];
  send(text: string, option?: string): void;
  attempt(work: () => Promise<void>): Promise<void>;
}

export interface FormModule {
  /**
   * Puts the form into the place of a sheet.
   * @param explain what went wrong, for the visitor
   * @param done told when it has served, or is not wanted
   */
  ask(
    sheet: HTMLElement,
    form: LeadCapture,
    talk: FormTalk,
    words: Texts,
    explain: (error: unknown, words: Texts) => string,
    done: () => void,
  ): void;
}
