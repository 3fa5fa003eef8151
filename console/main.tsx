import { render } from 'preact';
import { arrive } from './accounts/arrival.ts';
import { App } from './app.tsx';
import styles from './console.css';
import { adoptStyles } from './ui/adopt-styles.ts';
import { tellProblem } from './ui/notices.tsx';

adoptStyles(styles);

// Show a message for unexpected errors.
const unexpected = () => tellProblem('Something went wrong in this page. Reload it and try again.');
window.addEventListener('error', unexpected);
window.addEventListener('unhandledrejection', unexpected);

render(<App {...arrive()} />, document.getElementById('console')!);
