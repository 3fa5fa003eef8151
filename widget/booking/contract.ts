import type { BookingRead } from '../../api/bookings/bookings.schemas.ts';
import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig, WidgetSession } from '../../api/widget/widget.schemas.ts';

// Contract between the widget's script and the booking part, which is a separate script. The part's URL contains a
// digest of this file, so a part only loads into a widget with the same contract.

/** A meeting as stored in the browser; `created_at` is its position in the conversation. */
export type Meeting = Pick<
  BookingRead,
  'id' | 'status' | 'start' | 'end' | 'summary' | 'manage_url' | 'ics_url' | 'created_at'
> & { zone: string };

/** An error of the API; without members if the API could not be reached. */
export interface Failure {
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
  details?: { field: string; code: string; message: string }[];
}

/** The conversation, for the part. */
export interface BookingHost {
  /** Meetings booked in this conversation, from the browser's storage. */
  meetings(): readonly Meeting[];
  /** Stores the meetings, which other tabs then receive, and redraws them. */
  saveMeetings(meetings: readonly Meeting[]): void;
  /**
   * Reads a public resource of the bot or, with a body, calls an operation of the visitor's session.
   * @throws Failure
   */
  call<T>(resource: string, body?: object): Promise<T>;
  /**
   * Returns the session if the API knows the visitor; null otherwise.
   * @throws Failure
   */
  loadKnownSession(): Promise<WidgetSession | null>;
  /** Records the visitor's consent to store contact details. */
  grantConsent(): Promise<void>;
}

/** Input and output of the conversation, for the part. */
export interface BookingChat {
  /** Input that a flow asks for. */
  readonly inputRequest: VisitorMessageRead['input'];
  /** @param option option that the visitor picked of the input */
  send(text: string, optionId?: string): void;
}

/** A meeting at its position in the conversation. */
export interface TimelineItem {
  at: string;
  element: HTMLElement;
}

/** The part, for the panel. */
export interface BookingPart {
  /**
   * Shows days, times and the form in a sheet with a title.
   * @param done closes the sheet
   */
  showSheet(sheet: HTMLElement, done: () => void, offer: WidgetConfig['booking']): void;
  /** Meetings by time of booking. */
  listItems(): TimelineItem[];
}

/** Exports of the part's script. */
export interface BookingModule {
  createBookingPart(host: BookingHost, chat: BookingChat): BookingPart;
}
