import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostPage {
  html: string;
  headers?: Record<string, string>;
}

/** A customer's web site, whose origin differs from that of the API. */
export interface HostSite {
  origin: string;
  /** Adds a page to the web site; returns the page's address. */
  add(page: HostPage): string;
  close(): Promise<void>;
}

export async function startHostSite(): Promise<HostSite> {
  const pages = new Map<string, HostPage>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    const page = pages.get(pathname);
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    add: (page) => {
      const path = `/page-${pages.size}`;
      pages.set(path, page);
      return origin + path;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
