import styles from './alerts.css';
import { adoptStyles } from '../components/adopt-styles.ts';

export { AlertsPage } from './alerts-page.tsx';

adoptStyles(styles);
