import type { ServerResponse } from 'node:http';

/** What goes wrong with requests to the API. */
export class Faults {
  /** Invoices as files, which are no part of the API. */
  arePdfsAway = false;
  #isAway = false;
  #isHanging = false;
  #status = 0;
  #failuresLeft = 0;
  #lossesLeft = 0;
  readonly #hanging = new Set<ServerResponse>();

  /** Connections are reset. */
  away(): void {
    this.#isAway = true;
  }

  hang(): void {
    this.#isHanging = true;
  }

  /** Before anything is done. */
  failNext(status: number, times: number): void {
    this.#status = status;
    this.#failuresLeft = times;
  }

  /** The connection is reset after the request has taken effect. */
  loseAnswers(times: number): void {
    this.#lossesLeft = times;
  }

  /** All is well again; whoever still waits is cut off. */
  heal(): void {
    this.#isAway = false;
    this.arePdfsAway = false;
    this.#isHanging = false;
    this.#failuresLeft = 0;
    this.#lossesLeft = 0;
    for (const response of this.#hanging) response.destroy();
    this.#hanging.clear();
  }

  /** @returns whether the request has got its end here */
  strike(response: ServerResponse): boolean {
    if (this.#isAway) response.destroy();
    else if (this.#isHanging) this.#hanging.add(response);
    else if (this.#failuresLeft > 0) this.#fail(response);
    else return false;
    return true;
  }

  /** @returns whether an answer, whose request has taken effect, does not arrive */
  loses(): boolean {
    if (this.#lossesLeft === 0) return false;
    this.#lossesLeft -= 1;
    return true;
  }

  #fail(response: ServerResponse): void {
    this.#failuresLeft -= 1;
    const type = this.#status === 429 ? 'invalid_request_error' : 'api_error';
    const error = { type, message: 'An error that the test has asked for.' };
    response.writeHead(this.#status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  }
}
