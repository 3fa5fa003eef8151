import { Caller } from './caller.ts';
import { checkOptions, clientRules } from './check-options.ts';
import { resolveAddress, resolveApiKey } from './environment.ts';
import { ParleyError } from './errors.ts';
import { Resources } from './generated/resources.ts';
import type { ClientOptions, Fetch } from './options.ts';
import { waitForDocument, type WaitOptions } from './wait-for-document.ts';
import type { DocumentRead } from './generated/models.ts';

/** A client for Parley's API. A client is stateless, and several parts of a program may share it. */
export class Parley extends Resources {
  readonly #options: ClientOptions;

  /**
   * Creates a client. Reads the server's URL and the API key from `PARLEY_URL` and `PARLEY_API_KEY` if the
   * options have none.
   */
  constructor(options: ClientOptions = {}) {
    if (typeof options !== 'object' || (options as unknown) === null)
      throw new ParleyError('new Parley() requires an object of options: new Parley({ apiKey }).');
    checkOptions('new Parley()', options, clientRules);
    const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    const address = resolveAddress(options);
    const apiKey = resolveApiKey(options.apiKey, address.baseUrl);
    super(new Caller({ ...options, ...address, apiKey, fetch }));
    this.#options = options;
  }

  /** Returns a copy of the client with some options changed: `client.withOptions({ visitorToken })`. */
  withOptions(changes: ClientOptions): Parley {
    return new Parley({ ...this.#options, ...changes });
  }

  /**
   * Waits until a bot's document is indexed, and returns the document.
   * @throws DocumentFailedError if indexing failed
   * @throws TimeoutError after `timeoutMs`
   */
  waitForDocument(botId: string, documentId: string, options: WaitOptions = {}): Promise<DocumentRead> {
    return waitForDocument(this.knowledge, { botId, documentId }, options);
  }
}
