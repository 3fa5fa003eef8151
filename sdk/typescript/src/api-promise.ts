/** An answer with what came beside it. */
export interface WithResponse<T> {
  data: T;
  /** Status and headers; the body has been read, unless it is what the call returns. */
  response: Response;
  requestId: string | null;
}

export interface Answered<T> {
  data: T;
  response: Response;
}

/** What a call will return. */
export class ApiPromise<T> extends Promise<T> {
  readonly #answered: Promise<Answered<T>>;

  /** `then` and its like return ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answered: Promise<Answered<T>>) {
    super((resolve, reject) => {
      answered.then(({ data }) => resolve(data), reject);
    });
    this.#answered = answered;
  }

  async withResponse(): Promise<WithResponse<T>> {
    // Nobody waits for the data alone.
    this.catch(() => undefined);
    const { data, response } = await this.#answered;
    return { data, response, requestId: response.headers.get('x-request-id') };
  }
}
