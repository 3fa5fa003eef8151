import type { ServerResponse } from 'node:http';
import type { ApiRequest } from './stripe-mock.ts';

/** Before a request takes effect, or before it is answered. */
export type HeldMoment = 'request' | 'response';

interface Hold {
  moment: HeldMoment;
  isAbout: (request: ApiRequest) => boolean;
  isReached: boolean;
}

interface Fault {
  left: number;
  path: RegExp;
}

/** What goes wrong with requests to the API. */
export class Faults {
  /** Invoices as files, which are no part of the API. */
  arePdfsAway = false;
  #isAway = false;
  #isHanging = false;
  #failure: Fault & { status: number } = { left: 0, path: /^/, status: 500 };
  #loss: Fault = { left: 0, path: /^/ };
  readonly #failedKeys = new Set<string>();
  readonly #hanging = new Set<ServerResponse>();
  #holds: Hold[] = [];

  /** Connections are reset. */
  away(): void {
    this.#isAway = true;
  }

  hang(): void {
    this.#isHanging = true;
  }

  /** Before anything is done. A failure of the server is kept for the key of the request. @param path of the requests that it happens to */
  failNext(status: number, times: number, path = /^/): void {
    this.#failure = { left: times, path, status };
  }

  /** The connection is reset after the request has taken effect. @param path of the requests that it happens to */
  loseResponses(times: number, path = /^/): void {
    this.#loss = { left: times, path };
  }

  /** From then on such requests hang. */
  hold(moment: HeldMoment, isAbout: Hold['isAbout']): void {
    this.#holds.push({ moment, isAbout, isReached: false });
  }

  /** Whether each hold has something that hangs. */
  get areHoldsReached(): boolean {
    return this.#holds.every(({ isReached }) => isReached);
  }

  /** All is well again; whoever still waits is cut off. */
  heal(): void {
    this.arePdfsAway = false;
    this.#isAway = false;
    this.#isHanging = false;
    this.#failure.left = 0;
    this.#loss.left = 0;
    this.#holds = [];
    for (const response of this.#hanging) response.destroy();
    this.#hanging.clear();
  }

  /** @returns whether the request ends here */
  strikes(request: ApiRequest, response: ServerResponse): boolean {
    const { path, headers } = request;
    const key = headers['idempotency-key'] ?? '';
    if (this.#isAway) response.destroy();
    else if (this.holds('request', request, response)) return true;
    else if (this.#isHanging) this.#hanging.add(response);
    else if (this.#failedKeys.has(key)) refuse(response, 500);
    else if (takes(this.#failure, path)) {
      if (this.#failure.status >= 500 && key !== '') this.#failedKeys.add(key);
      refuse(response, this.#failure.status);
    } else return false;
    return true;
  }

  /** Cuts off what came before the provider went away and is not responded to yet. @returns whether it was cut off */
  cutsOff(response: ServerResponse): boolean {
    if (this.#isAway) response.destroy();
    return this.#isAway;
  }

  /** @returns whether the request hangs from here on */
  holds(moment: HeldMoment, request: ApiRequest, response: ServerResponse): boolean {
    const hold = this.#holds.find((each) => each.moment === moment && each.isAbout(request));
    if (!hold) return false;
    hold.isReached = true;
    this.#hanging.add(response);
    return true;
  }

  /** @returns whether a response, whose request has taken effect, does not arrive */
  loses(path: string): boolean {
    return takes(this.#loss, path);
  }
}

function takes(fault: Fault, path: string): boolean {
  if (fault.left === 0 || !fault.path.test(path)) return false;
  fault.left -= 1;
  return true;
}

function refuse(response: ServerResponse, status: number): void {
  const type = status < 500 ? 'invalid_request_error' : 'api_error';
  const error = { type, message: 'An error that the test has asked for.' };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
