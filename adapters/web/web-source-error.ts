/** A page or sitemap that answered, yet cannot be used. The message is for people. */
export class WebSourceError extends Error {
  /** Whether the same page may be usable later. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.name = 'WebSourceError';
    this.isTransient = isTransient;
  }
}

/** What was read is not a sitemap; there may be one elsewhere. */
export class NotASitemap extends WebSourceError {
  constructor(message: string) {
    super(message, false);
    this.name = 'NotASitemap';
  }
}

/** The error of an answer that is not a success. */
export function statusError(url: string, status: number): WebSourceError {
  const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
  return new WebSourceError(`${url} answered with status ${status}.`, isTransient);
}
