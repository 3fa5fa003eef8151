/**
 * Thrown for a page or sitemap that the server returned, but that cannot be used. The message is for people.
 */
export class WebSourceError extends Error {
  /** True if the same web page or sitemap may be usable later. */
  readonly isTransient: boolean;
  /** HTTP status of the response, if it is the reason for the error. */
  readonly status: number | undefined;

  constructor(message: string, isTransient: boolean, status?: number) {
    super(message);
    this.name = 'WebSourceError';
    this.isTransient = isTransient;
    this.status = status;
  }

  /** True if the HTTP status means that the page no longer exists. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }
}

/** Thrown for a file that is not a sitemap. The site may have a sitemap under another URL. */
export class NotASitemap extends WebSourceError {
  constructor(message: string) {
    super(message, false);
    this.name = 'NotASitemap';
  }
}

/** Thrown for the URL of an ordinary page, if no sitemap of its site was found. */
export class NoSitemapFound extends WebSourceError {
  /** URL of the ordinary web page, after redirects. */
  readonly page: string;

  constructor(message: string, page: string) {
    super(message, false);
    this.name = 'NoSitemapFound';
    this.page = page;
  }
}

/** Creates the error for a response of a website that is not successful. */
export function createStatusError(url: string, status: number): WebSourceError {
  const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
  return new WebSourceError(`${url} responded with status ${status}.`, isTransient, status);
}
