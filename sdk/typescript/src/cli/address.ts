import { UsageError } from './command.ts';

/**
 * The address of a server in one spelling: lower case, without its default port, and without a slash at its end.
 * @param source names where it was found
 * @throws UsageError unless it is one of http or https
 */
export function addressOf(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new UsageError(
      `${source} has no address that Parley could be at; write it like https://chat.example.com.`,
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Whether what is sent to an address can be read on its way: http, to another machine. */
export function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

/** Names and addresses of this machine, as `URL` writes them. */
const LOOPBACK =
  /^(.+\.)?localhost\.?$|^127(\.\d{1,3}){3}$|^\[::1\]$|^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;
