/** A page or sitemap that answered, yet cannot be used. The message is for people. */
export class WebSourceError extends Error {
  /** Whether the same page may be usable later. */
  readonly isTransient: boolean;
  /** Of the answer, where that is what is wrong. */
  readonly status: number | undefined;

  constructor(message: string, isTransient: boolean, status?: number) {
    super(message);
    this.name = 'WebSourceError';
    this.isTransient = isTransient;
    this.status = status;
  }

  /** Whether the site says that there is no such page any more. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }
}

/** What was read is not a sitemap; there may be one elsewhere. */
export class NotASitemap extends WebSourceError {
  constructor(message: string) {
    super(message, false);
    this.name = 'NotASitemap';
  }
}

/** The address is that of a page whose site has no sitemap. */
export class NoSitemapFound extends WebSourceError {
  /** Where the given address leads to. */
  readonly page: string;

  constructor(message: string, page: string) {
    super(message, false);
    this.name = 'NoSitemapFound';
    this.page = page;
  }
}

/** The error of an answer that is not a success. */
export function statusError(url: string, status: number): WebSourceError {
  const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
  return new WebSourceError(`${url} answered with status ${status}.`, isTransient, status);
}
