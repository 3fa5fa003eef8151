import styles from './alerts.css';
import { adoptStyles } from '../ui/adopt-styles.ts';

export { AlertsPage } from './alerts-page.tsx';

adoptStyles(styles);
