import type { BookingRead } from '../../api/bookings/bookings.schemas.ts';
import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig, WidgetSession } from '../../api/widget/widget.schemas.ts';

// Types shared by the widget's script and the booking part, a script that the widget loads on demand. The
// part's URL contains a digest of this file, so that the widget only loads a part with the same types.

/** A booked meeting as the browser stores it. `created_at` determines its position in the conversation. */
export type Meeting = Pick<
  BookingRead,
  'id' | 'status' | 'start' | 'end' | 'summary' | 'manage_url' | 'ics_url' | 'created_at'
> & { zone: string };

/** An error of an API call. All members are missing if the widget could not reach the API. */
export interface Failure {
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
  details?: { field: string; code: string; message: string }[];
}

/** Functions for meetings, the API and the session, which the widget provides to the booking part. */
export interface BookingHost {
  /** Returns the meetings that were booked in this conversation, from the browser's storage. */
  meetings(): readonly Meeting[];
  /**
   * Stores the meetings in the browser and draws them again. Other tabs of the site get the stored meetings
   * as well.
   */
  saveMeetings(meetings: readonly Meeting[]): void;
  /**
   * Reads a public resource of the bot or, with a body, calls an operation of the visitor's session in the
   * API.
   * @throws Failure
   */
  call<T>(resource: string, body?: object): Promise<T>;
  /**
   * Returns the visitor's session if the API has one; otherwise null.
   * @throws Failure
   */
  loadKnownSession(): Promise<WidgetSession | null>;
  /** Tells the API that the visitor agrees to the storage of contact details. */
  grantConsent(): Promise<void>;
}

/** Sends messages in the conversation, for the booking part. */
export interface BookingChat {
  /** The input that a flow asks the visitor for, such as a booking; null if none. */
  readonly inputRequest: VisitorMessageRead['input'];
  /** @param optionId id of the option that the visitor has picked, if the flow offers options */
  send(text: string, optionId?: string): void;
}

/** Element of a meeting, and the time at which it belongs in the conversation. */
export interface TimelineItem {
  at: string;
  element: HTMLElement;
}

/** Functions of the booking part, which the panel calls. */
export interface BookingPart {
  /**
   * Fills a sheet with the bookable days, their times and the form for a booking.
   * @param done called to close the sheet
   */
  showSheet(sheet: HTMLElement, done: () => void, offer: WidgetConfig['booking']): void;
  /** Returns the elements of the booked meetings in the order in which the meetings were booked. */
  listItems(): TimelineItem[];
}

/** Exports of the booking part's script. */
export interface BookingModule {
  createBookingPart(host: BookingHost, chat: BookingChat): BookingPart;
}
