import type { BookingHost, Meeting, TimelineItem } from './contract.ts';
import { MeetingCard } from './meeting-card.ts';
import { fetchMeeting } from './meeting-state.ts';
import type { Words } from './words.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Cards that show the booked meetings of the conversation. */
export class MeetingCards {
  readonly #host: BookingHost;
  readonly #words: Words;
  readonly #language: string;
  readonly #cards = new Map<string, MeetingCard>();

  constructor(host: BookingHost, words: Words, language: string) {
    this.#host = host;
    this.#words = words;
    this.#language = language;
    const refreshIfVisible = () => !document.hidden && this.#refreshAll();
    document.addEventListener('visibilitychange', refreshIfVisible);
    refreshIfVisible();
  }

  listItems(): TimelineItem[] {
    const meetings = this.#readMeetings().toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    for (const id of this.#cards.keys()) if (!meetings.some((each) => each.id === id)) this.#cards.delete(id);
    return meetings.map((meeting) => ({
      at: meeting.created_at,
      element: this.#updateCard(meeting).element,
    }));
  }

  focus(id: string): void {
    this.#cards.get(id)?.focus();
  }

  #updateCard(meeting: Meeting): MeetingCard {
    const existing = this.#cards.get(meeting.id);
    const card =
      existing ??
      new MeetingCard(this.#words, this.#language, (state) => this.#applyState(meeting.id, state));
    this.#cards.set(meeting.id, card);
    card.update(meeting);
    return card;
  }

  /**
   * Returns the meetings in the browser's storage, without invalid entries, because scripts of the page can
   * change the storage.
   */
  #readMeetings(): readonly Meeting[] {
    const meetings = this.#host.meetings();
    return Array.isArray(meetings) ? meetings.filter(isMeeting) : [];
  }

  #refreshAll(): void {
    for (const meeting of this.#readMeetings()) void this.#refreshCard(meeting);
  }

  /** Loads a meeting again: its owner may have moved or canceled it since it was stored. */
  async #refreshCard({ id, end, manage_url: pageUrl }: Meeting): Promise<void> {
    if (Date.parse(end) < Date.now() - DAY_MS) return;
    const found = await fetchMeeting(pageUrl, 'GET').catch(() => undefined);
    if (found !== undefined) this.#applyState(id, found);
  }

  /** @param state changed fields of the meeting; null if the meeting no longer exists */
  #applyState(id: string, state: Partial<Meeting> | null): void {
    const meetings = this.#readMeetings();
    const next = meetings.flatMap((each) => {
      if (each.id !== id) return [each];
      return state ? [{ ...each, ...state }] : [];
    });
    if (JSON.stringify(next) !== JSON.stringify(meetings)) this.#host.saveMeetings(next);
  }
}

function isMeeting(meeting: Partial<Meeting> | null): boolean {
  const { id, start = '', end = '', summary, created_at: createdAt } = meeting ?? {};
  const areTexts = [id, summary, createdAt].every((each) => typeof each === 'string');
  return areTexts && [start, end].every((time) => Number.isFinite(Date.parse(time)));
}
