/** A page or sitemap that responded but is unusable. The message is for people. */
export class WebSourceError extends Error {
  /** Whether the same page may be usable later. */
  readonly isTransient: boolean;
  /** Status of the response, if that is the problem. */
  readonly status: number | undefined;

  constructor(message: string, isTransient: boolean, status?: number) {
    super(message);
    this.name = 'WebSourceError';
    this.isTransient = isTransient;
    this.status = status;
  }

  /** Whether the status means that the page no longer exists. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }
}

/** The file is not a sitemap; its site may have one elsewhere. */
export class NotASitemap extends WebSourceError {
  constructor(message: string) {
    super(message, false);
    this.name = 'NotASitemap';
  }
}

/** The URL is that of a page whose site has no sitemap. */
export class NoSitemapFound extends WebSourceError {
  /** Target of the given URL. */
  readonly page: string;

  constructor(message: string, page: string) {
    super(message, false);
    this.name = 'NoSitemapFound';
    this.page = page;
  }
}

/** Creates the error of an unsuccessful response. */
export function createStatusError(url: string, status: number): WebSourceError {
  const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
  return new WebSourceError(`${url} answered with status ${status}.`, isTransient, status);
}
