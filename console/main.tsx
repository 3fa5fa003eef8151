import { render } from 'preact';
import { readArrival } from './accounts/arrival.ts';
import { App } from './app.tsx';
import styles from './console.css';
import { adoptStyles } from './ui/adopt-styles.ts';
import { showError } from './ui/notices.tsx';

adoptStyles(styles);

// Show a message when code of the console throws an unexpected error.
const reportUnexpected = () => showError('Something went wrong in this page. Reload it and try again.');
window.addEventListener('error', reportUnexpected);
window.addEventListener('unhandledrejection', reportUnexpected);

render(<App {...readArrival()} />, document.getElementById('console')!);
