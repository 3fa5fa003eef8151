import styles from './bookings.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';

export { BookingsArea } from './bookings-area.tsx';

adoptStyles(styles);
