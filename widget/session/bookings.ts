import type {
  BookingHost,
  BookingModule,
  BookingPart,
  BookingChat,
  Meeting,
  TimelineItem,
} from '../booking/contract.ts';
import type { ApiClient } from './api-client.ts';
import type { LeadPrompt } from './lead-prompt.ts';
import { loadPart } from './load-part.ts';
import type { Session } from './session.ts';
import type { Store } from './store.ts';

export interface BookingsDeps {
  api: ApiClient;
  store: Store;
  /** Called after every change. */
  onChange(): void;
}

type ChatWithLead = BookingChat & { lead: Pick<LeadPrompt, 'setConsent'> };

/** Meetings of the conversation, and the script that draws them, which loads when it is needed. */
export interface Bookings extends BookingHost {
  /** Reads the meetings from the browser's storage again. */
  reload(): void;
  /** Meetings at their positions in the conversation; none until the script has loaded. */
  listItems(): TimelineItem[];
  /** @throws TypeError if the script cannot be loaded */
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
      body ? session.useOpen((current) => api.postToSession(current, resource, body)) : api.readBot(resource),
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
