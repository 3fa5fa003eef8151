import styles from './alerts.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';

export { AlertsPage } from './alerts-page.tsx';

adoptStyles(styles);
