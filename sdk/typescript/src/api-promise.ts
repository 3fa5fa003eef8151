/** The result of an API call, with the HTTP response that contained it. */
export interface WithResponse<T> {
  data: T;
  /** Status and headers of the response. The body has already been read, except if the body is the result. */
  response: Response;
  requestId: string | null;
}

export interface ApiResult<T> {
  data: T;
  response: Response;
}

/** The promise of an API call's result, which can also return the HTTP response. */
export class ApiPromise<T> extends Promise<T> {
  readonly #result: Promise<ApiResult<T>>;

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(result: Promise<ApiResult<T>>) {
    super((resolve, reject) => {
      result.then(({ data }) => resolve(data), reject);
    });
    this.#result = result;
  }

  async withResponse(): Promise<WithResponse<T>> {
    // The caller of the SDK awaits the response instead; without this handler, a failure would count as
    // unhandled.
    this.catch(() => undefined);
    const { data, response } = await this.#result;
    return { data, response, requestId: response.headers.get('x-request-id') };
  }
}
