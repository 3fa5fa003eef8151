interface Problem {
  error?: { code: string; message: string };
}

/** An error for an API response other than 2xx, with Parley's message. */
export class RequestRefused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Calls Parley's HTTP API with one credential. */
export class ParleyClient {
  readonly baseUrl: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  /** @param signal aborts every call of the client */
  constructor(baseUrl: string, token: string, signal: AbortSignal) {
    this.baseUrl = baseUrl;
    this.#token = token;
    this.#signal = signal;
  }

  /** Returns a client of the same API with another credential. */
  as(token: string): ParleyClient {
    return new ParleyClient(this.baseUrl, token, this.#signal);
  }

  /** Returns a client of the same API with another abort signal. */
  withSignal(signal: AbortSignal): ParleyClient {
    return new ParleyClient(this.baseUrl, this.#token, signal);
  }

  /** @throws RequestRefused if the API rejects the request */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.#send(method, path, body);
    return (await response.json()) as T;
  }

  /** @throws RequestRefused if the API rejects the request */
  async upload<T>(path: string, file: File): Promise<T> {
    const form = new FormData();
    form.set('file', file);
    const response = await this.#send('POST', path, form);
    return (await response.json()) as T;
  }

  /**
   * Calls an operation and yields the events of its response stream.
   * @throws RequestRefused if the API rejects the request
   */
  async *stream<Event>(path: string, body: object): AsyncGenerator<Event> {
    const response = await this.#send('POST', path, body);
    let pending = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (pending + text).split('\n\n');
      pending = blocks.pop() ?? '';
      for (const block of blocks) if (!block.startsWith(':')) yield parseEvent(block) as Event;
    }
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      signal: this.#signal,
    }).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      throw new Error(`${this.baseUrl} cannot be reached`, { cause: error.cause });
    });
    if (response.ok) return response;
    const { error } = (await response.json().catch(() => ({}))) as Problem;
    throw new RequestRefused(
      response.status,
      error?.code ?? 'unknown',
      `${method} ${path} returned ${response.status}: ${error?.message ?? response.statusText}`,
    );
  }
}

function parseEvent(block: string): object {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    }),
  );
  return { event: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? '{}') as unknown };
}
