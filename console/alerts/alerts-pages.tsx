import styles from './alerts.css';

export { AlertsPage } from './alerts-page.tsx';

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
