import styles from './bots.css';
import { adoptStyles } from '../components/adopt-styles.ts';

export { BotsPage } from './bots-page.tsx';
export { GeneratePage } from './generation/generate-page.tsx';
export { StudioPage } from './studio/studio-page.tsx';

adoptStyles(styles);
