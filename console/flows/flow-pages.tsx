import styles from './flows.css';

export { FlowPage } from './flow-page.tsx';
export { FlowsTab } from './flows-tab.tsx';

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
