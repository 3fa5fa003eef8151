import { BookingSheet } from './booking-sheet.ts';
import styles from './booking.css';
import type { BookingHost, BookingPart, BookingTalk } from './contract.ts';
import { MeetingCards } from './meeting-cards.ts';
import { loadWords } from './words.ts';

const { shadowRoot: root } = document.querySelector('parley-widget')!;
const language = root!.querySelector<HTMLElement>('.widget')!.lang;
const words = await loadWords(language);

/** @param host the conversation */
export function begin(host: BookingHost, talk: BookingTalk): BookingPart {
  const cards = new MeetingCards(host, words, language);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root!.adoptedStyleSheets.push(sheet);
  return {
    fill: (place, done, offer) => {
      new BookingSheet({
        host,
        talk,
        words,
        language,
        place,
        done,
        offer,
        booked: (id) => cards.focus(id),
      }).start();
    },
    steps: () => cards.steps(),
  };
}
