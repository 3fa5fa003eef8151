import type { BookingRead } from '../../api/bookings/bookings.schemas.ts';
import type { VisitorMessageRead } from '../../api/conversations/messages.schemas.ts';
import type { WidgetConfig, WidgetSession } from '../../api/widget/widget.schemas.ts';

// What the widget's script and the part for bookings, a script of its own, know of each other. The names in here are the same in both,
// and where the part is found depends on this file: no part meets a widget that has another one.

/** A meeting as the browser keeps it; `created_at` says where in the conversation it stands. */
export type Meeting = Pick<
  BookingRead,
  'id' | 'status' | 'start' | 'end' | 'summary' | 'manage_url' | 'ics_url' | 'created_at'
> & { zone: string };

/** What went wrong, as the API tells it; all undefined where it could not be reached. */
export interface Failure {
  status?: number;
  code?: string;
  retryAfterSeconds?: number;
  details?: { field: string; code: string; message: string }[];
}

/** The conversation, for the part. */
export interface BookingHost {
  /** Those that were booked in this conversation, as the browser has kept them. */
  meetings(): readonly Meeting[];
  /** Keeps them, for this page, the next ones and other tabs, and has them drawn. */
  keep(meetings: readonly Meeting[]): void;
  /** Reads what anybody may know of the bot; with a body, asks for something in the visitor's session. @throws Failure */
  call<T>(what: string, body?: object): Promise<T>;
  /** The session of a visitor who is known already. @throws Failure */
  known(): Promise<WidgetSession | null>;
  /** Contact details may be stored. */
  allow(): Promise<void>;
}

/** What is said, for the part. */
export interface BookingTalk {
  /** What a flow asks for. */
  readonly asked: VisitorMessageRead['input'];
  /** @param option of what is asked for */
  send(text: string, option?: string): void;
}

/** A meeting in its place of the conversation. */
export interface Step {
  at: string;
  element: HTMLElement;
}

/** The part, for the panel. */
export interface BookingPart {
  /** Puts days, times and form into a sheet with a title. @param done closes it */
  fill(sheet: HTMLElement, done: () => void, offer: WidgetConfig['booking']): void;
  /** In the order of their times. */
  steps(): Step[];
}

/** What the part's script has. */
export interface BookingModule {
  begin(host: BookingHost, talk: BookingTalk): BookingPart;
}
