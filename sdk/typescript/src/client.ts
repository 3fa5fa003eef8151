import { Caller } from './caller.ts';
import { Resources } from './generated/resources.ts';
import { parseBaseUrl } from './base-url.ts';
import { ParleyError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { waitForDocument, type WaitOptions } from './wait-for-document.ts';
import type { DocumentRead } from './generated/models.ts';

/** A client of Parley's API. It is stateless and may be shared. */
export class Parley extends Resources {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const { baseUrl, fetch = (input, init) => globalThis.fetch(input, init) } = options;
    super(new Caller({ ...options, baseUrl: requireBaseUrl(baseUrl), fetch }));
    this.#options = options;
  }

  /** Returns a client with some options changed: `client.withOptions({ visitorToken })`. */
  withOptions(changes: Partial<ClientOptions>): Parley {
    return new Parley({ ...this.#options, ...changes });
  }

  /**
   * Waits until a document is indexed, and returns it.
   * @throws DocumentFailedError if indexing failed
   * @throws TimeoutError after `timeoutMs`
   */
  waitForDocument(botId: string, documentId: string, options: WaitOptions = {}): Promise<DocumentRead> {
    return waitForDocument(this.knowledge, { botId, documentId }, options);
  }
}

/** @throws ParleyError if the text cannot be an address of Parley */
function requireBaseUrl(text: string): string {
  const parsed = parseBaseUrl(text, 'baseUrl');
  if ('fault' in parsed) throw new ParleyError(parsed.fault);
  return parsed.url;
}
