import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/**
 * Names of browsers to use for tests, best first. The headless shell has the same engine without a desktop
 * browser's own pages, at a fifth of the CPU time.
 */
const PROGRAMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser that all tests of this process share, or null if the machine has none. The browser ends
 * with the process. Callers close the contexts that they open.
 */
export async function openSharedBrowser(): Promise<Browser | null> {
  const executablePath = PROGRAMS.find(existsSync);
  if (executablePath === undefined) return null;
  return (shared ??= launch(executablePath));
}

async function launch(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      // Limit the number of processes: a page with a `Cross-Origin-Opener-Policy` then stays in the process
      // of the empty page before it.
      '--renderer-process-limit=1',
    ],
  });
  browser.once('disconnected', () => (shared = undefined));
  return browser;
}
