import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The shell comes first: the same engine without a desktop browser's own pages, at a fifth of the CPU time. */
const PROGRAMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

let shared: Promise<Browser> | undefined;

/**
 * The browser of all tests in this process, which it does not outlive; null on a machine without one. Who opens a context
 * closes it.
 */
export async function sharedBrowser(): Promise<Browser | null> {
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
      // A page with a policy of openers is put into the process of the empty one before it, not into another one.
      '--renderer-process-limit=1',
    ],
  });
  browser.once('disconnected', () => (shared = undefined));
  return browser;
}
