import styles from './bookings.css';

export { BookingsArea } from './bookings-area.tsx';

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
