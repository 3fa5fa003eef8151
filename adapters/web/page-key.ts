/**
 * What is the same for all addresses of one page: http or https, with www. or without, with a slash at its end or without, and whatever
 * part of the page it points to.
 */
export function pageKey(address: string): string {
  return keyOf(new URL(address));
}

export function keyOf({ hostname, port, pathname, search }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}${withoutEndSlashes(pathname)}${search}`;
}

/** The addresses, without fragment, that have the same key. */
export function sameAddresses(address: string): string[] {
  const { hostname, port, pathname, search } = new URL(address);
  const name = hostname.replace(/^www\./, '');
  const path = withoutEndSlashes(pathname);
  const hosts = [name, `www.${name}`].map((host) => (port === '' ? host : `${host}:${port}`));
  return ['http', 'https'].flatMap((scheme) =>
    hosts.flatMap((host) => ['', '/'].map((slash) => `${scheme}://${host}${path}${slash}${search}`)),
  );
}

/** Linear in the length of the path: `/\/+$/` takes the square of a run of slashes that ends before the path does. */
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
