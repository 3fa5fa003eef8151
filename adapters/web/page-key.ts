/**
 * Returns a key that is equal for all URLs of a web page: with http or https, and with or without `www.`,
 * trailing slash and fragment.
 */
export function buildPageKey(address: string): string {
  return buildUrlKey(new URL(address));
}

export function buildUrlKey({ hostname, port, pathname, search }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}${trimEndSlashes(pathname)}${search}`;
}

/** Returns all URLs (without fragment) that have the same page key as the given URL. */
export function listSameAddresses(address: string): string[] {
  const { hostname, port, pathname, search } = new URL(address);
  const name = hostname.replace(/^www\./, '');
  const path = trimEndSlashes(pathname);
  const hosts = [name, `www.${name}`].map((host) => (port === '' ? host : `${host}:${port}`));
  return ['http', 'https'].flatMap((scheme) =>
    hosts.flatMap((host) => ['', '/'].map((slash) => `${scheme}://${host}${path}${slash}${search}`)),
  );
}

/**
 * Removes slashes at the end of a URL's path in linear time. `/\/+$/` takes quadratic time if the path
 * contains a long run of slashes.
 */
function trimEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
