import { BookingSheet } from './booking-sheet.ts';
import styles from './booking.css';
import type { BookingHost, BookingPart, BookingChat } from './contract.ts';
import { MeetingCards } from './meeting-cards.ts';
import { loadWords } from './words.ts';

const { shadowRoot: root } = document.querySelector('parley-widget')!;
const language = root!.querySelector<HTMLElement>('.widget')!.lang;
const words = await loadWords(language);

/**
 * Creates the booking part of the widget.
 * @param host access to the conversation
 */
export function createBookingPart(host: BookingHost, chat: BookingChat): BookingPart {
  const cards = new MeetingCards(host, words, language);
  const styleSheet = new CSSStyleSheet();
  styleSheet.replaceSync(styles);
  root!.adoptedStyleSheets.push(styleSheet);
  return {
    showSheet: (sheet, close, offer) => {
      new BookingSheet({
        host,
        chat,
        words,
        language,
        sheet,
        close,
        offer,
        onBooked: (id) => cards.focus(id),
      }).start();
    },
    listItems: () => cards.listItems(),
  };
}
