import type {
  BookingHost,
  BookingModule,
  BookingPart,
  BookingChat,
  Meeting,
  TimelineItem,
} from '../booking/contract.ts';
import type { VisitorApi } from './api-client.ts';
import type { LeadPrompt } from './lead-prompt.ts';
import { loadPart } from './load-part.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';

export interface BookingsDeps {
  api: VisitorApi;
  store: Store;
  /** Called after every change of the booked meetings. */
  onChange(): void;
}

type ChatWithLead = BookingChat & { lead: Pick<LeadPrompt, 'setConsent'> };

/** Meetings that were booked in the conversation. The script that draws them is loaded on demand. */
export interface Bookings extends BookingHost {
  /** Reads the meetings from the browser's storage again, for example after a change in another tab. */
  reload(): void;
  /**
   * Returns the meetings' elements with their times in the conversation; an empty list until the script has
   * loaded.
   */
  listItems(): TimelineItem[];
  /**
   * Loads the script that draws meetings.
   * @throws TypeError if it cannot be loaded
   */
  load(): Promise<BookingPart>;
}

export function createBookings(
  { api, store, onChange }: BookingsDeps,
  session: Session,
  chat: ChatWithLead,
): Bookings {
  let part: BookingPart | undefined;
  let meetings: readonly Meeting[] = [];
  const bookings: Bookings = {
    meetings: () => meetings,
    reload: () => {
      meetings = store.read().meetings ?? [];
    },
    listItems: () => {
      if (meetings[0] && !part) bookings.load().then(onChange, () => undefined);
      return part?.listItems() ?? [];
    },
    load: async () => {
      const { createBookingPart } = await loadPart<BookingModule>(api.base, 'booking');
      return (part ??= createBookingPart(bookings, chat));
    },
    call: (resource, body) =>
      body
        ? session.useActive((current) => api.postToSession(current, resource, body))
        : api.readBot(resource),
    loadKnownSession: async () =>
      session.isKnown ? session.use((current) => api.readSession(current)) : null,
    grantConsent: () => chat.lead.setConsent('granted'),
    saveMeetings: (updated) => {
      store.update({ meetings: updated });
      bookings.reload();
      onChange();
    },
  };
  return bookings;
}
