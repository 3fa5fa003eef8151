import styles from './flows.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';

export { FlowPage } from './flow-page.tsx';
export { FlowsTab } from './flows-tab.tsx';

adoptStyles(styles);
