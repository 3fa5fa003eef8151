import type {
  BookingHost,
  BookingModule,
  BookingPart,
  BookingTalk,
  Meeting,
  Step,
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
  changed(): void;
}

type Talk = BookingTalk & { lead: Pick<LeadPrompt, 'setConsent'> };

/** Meetings of the conversation, and the script that draws them, which loads when it is needed. */
export interface Bookings extends BookingHost {
  /** Reads the meetings from the browser's storage again. */
  reread(): void;
  /** Meetings at their positions in the conversation; none until the script has loaded. */
  steps(): Step[];
  /** @throws TypeError if the script cannot be loaded */
  load(): Promise<BookingPart>;
}

export function bookingsOf({ api, store, changed }: BookingsDeps, session: Session, chat: Talk): Bookings {
  let part: BookingPart | undefined;
  let meetings: readonly Meeting[] = [];
  const bookings: Bookings = {
    meetings: () => meetings,
    reread: () => {
      meetings = store.read().meetings ?? [];
    },
    steps: () => {
      if (meetings[0] && !part) bookings.load().then(changed, () => undefined);
      return part?.steps() ?? [];
    },
    load: async () => {
      const { begin } = await loadPart<BookingModule>(api.base, 'booking');
      return (part ??= begin(bookings, chat));
    },
    call: (what, body) =>
      body ? session.useOpen((current) => api.change(current, what, body)) : api.ofBot(what),
    known: async () => (session.isKnown ? session.use((current) => api.session(current)) : null),
    allow: () => chat.lead.setConsent('granted'),
    keep: (changes) => {
      store.update({ meetings: changes });
      bookings.reread();
      changed();
    },
  };
  return bookings;
}
