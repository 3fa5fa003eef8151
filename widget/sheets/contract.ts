import type { WidgetSession } from '../../api/widget/widget.schemas.ts';
import type { Texts } from '../texts.ts';

// Types shared by the widget's script and the part with rarely used sheets, which the widget loads on demand. As with
// bookings, the part's URL contains a digest of this file.

export type RareSheet = 'privacy' | 'end';

/** Functions of the conversation, which the widget provides to the part with sheets. */
interface SheetChat {
  readonly lead: {
    readonly consent: WidgetSession['consent'];
    setConsent(consent: 'granted'): Promise<void>;
    withdraw(): Promise<void>;
  };
  /** Message for the visitor about the last operation, such as an error; null if none. */
  notice: string | null;
  end(): Promise<void>;
  /** Runs an operation that the visitor requested, and sets `notice` if it fails. */
  attempt(work: () => Promise<void>): Promise<void>;
}

export interface SheetsModule {
  /**
   * Adds text and buttons to a sheet of the widget that has a title and a button `Cancel`.
   * @param onDone called when the visitor is done
   */
  fillSheet(sheet: HTMLElement, name: RareSheet, chat: SheetChat, texts: Texts, onDone: () => void): void;
}
