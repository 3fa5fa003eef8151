import { createRoot } from 'react-dom/client';
import { readInitialUrl } from './accounts/initial-url.ts';
import { App } from './app.tsx';
import { startRouter } from './router.ts';
import { showError } from './components/page/notices.ts';

// Show a message when code of the console throws an unexpected error.
const reportUnexpected = () => showError('An unexpected error occurred. Reload this page and try again.');
window.addEventListener('error', reportUnexpected);
window.addEventListener('unhandledrejection', reportUnexpected);

const url = readInitialUrl();
startRouter();
const root = createRoot(document.getElementById('console')!, { onCaughtError: () => undefined });
root.render(<App {...url} />);
