import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Opens a page in the user's browser, without waiting for the browser. Does nothing in an SSH session or
 * without a display, and ignores failures: the user can open the page by hand.
 */
export function openBrowser(url: string): void {
  const [program, ...args] = findOpener(process.platform, process.env);
  if (program === undefined || !/^https?:$/.test(new URL(url).protocol)) return;
  // Passes the page's URL as an argument, never through a shell.
  const opener = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  opener.on('error', () => undefined);
  opener.unref();
}

/** Returns the program that opens URLs, with its arguments; an empty list if this system has none. */
export function findOpener(platform: NodeJS.Platform, env: Environment): string[] {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (env['SSH_CONNECTION']) return [];
  if (platform === 'darwin') return ['open'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : [];
}
