import styles from './bookings.css';
import { adoptStyles } from '../components/adopt-styles.ts';

export { BookingsArea } from './bookings-area.tsx';

adoptStyles(styles);
