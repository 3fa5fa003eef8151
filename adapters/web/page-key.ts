/**
 * Returns a key that is equal for all URLs of one page: http or https, with or without www., a trailing slash and a
 * fragment.
 */
export function buildPageKey(address: string): string {
  return buildUrlKey(new URL(address));
}

export function buildUrlKey({ hostname, port, pathname, search }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}${trimEndSlashes(pathname)}${search}`;
}

/** Returns the URLs, without fragment, that have the same key. */
export function listSameAddresses(address: string): string[] {
  const { hostname, port, pathname, search } = new URL(address);
  const name = hostname.replace(/^www\./, '');
  const path = trimEndSlashes(pathname);
  const hosts = [name, `www.${name}`].map((host) => (port === '' ? host : `${host}:${port}`));
  return ['http', 'https'].flatMap((scheme) =>
    hosts.flatMap((host) => ['', '/'].map((slash) => `${scheme}://${host}${path}${slash}${search}`)),
  );
}

/** Removes trailing slashes in linear time: `/\/+$/` takes quadratic time for a run of slashes within the path. */
function trimEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
