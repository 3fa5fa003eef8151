import type { ServerResponse } from 'node:http';
import type { ApiRequest } from './stripe-mock.ts';

/** Moment at which a request to the fake hangs: before it takes effect, or before its response. */
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

/** Faults of requests to the fake's API. */
export class Faults {
  /** Makes downloads of invoices fail, which are not requests to the API. */
  failsPdfDownloads = false;
  #isAway = false;
  #isHanging = false;
  #failure: Fault & { status: number } = { left: 0, path: /^/, status: 500 };
  #loss: Fault = { left: 0, path: /^/ };
  readonly #failedKeys = new Set<string>();
  readonly #hanging = new Set<ServerResponse>();
  #holds: Hold[] = [];

  /** Resets all connections to the fake. */
  makeUnavailable(): void {
    this.#isAway = true;
  }

  hangRequests(): void {
    this.#isHanging = true;
  }

  /**
   * Fails the next requests before they take effect. A server error repeats for the request's idempotency
   * key.
   * @param path pattern of the affected requests
   */
  failNext(status: number, times: number, path = /^/): void {
    this.#failure = { left: times, path, status };
  }

  /**
   * Resets connections after the requests on them have taken effect.
   * @param path pattern of the affected requests
   */
  loseResponses(times: number, path = /^/): void {
    this.#loss = { left: times, path };
  }

  /** Lets matching requests to the fake hang at this moment. */
  hold(moment: HeldMoment, isAbout: Hold['isAbout']): void {
    this.#holds.push({ moment, isAbout, isReached: false });
  }

  /** Whether a request hangs for each call of `hold`. */
  get areHoldsReached(): boolean {
    return this.#holds.every(({ isReached }) => isReached);
  }

  /** Ends all faults of the fake and resets the connections that hang. */
  clear(): void {
    this.failsPdfDownloads = false;
    this.#isAway = false;
    this.#isHanging = false;
    this.#failure.left = 0;
    this.#loss.left = 0;
    this.#holds = [];
    for (const response of this.#hanging) response.destroy();
    this.#hanging.clear();
  }

  /**
   * Applies a fault of the fake before the request takes effect.
   * @returns whether the request ends here
   */
  applyToRequest(request: ApiRequest, response: ServerResponse): boolean {
    const { path, headers } = request;
    const key = headers['idempotency-key'] ?? '';
    if (this.#isAway) response.destroy();
    else if (this.holdIfMatching('request', request, response)) return true;
    else if (this.#isHanging) this.#hanging.add(response);
    else if (this.#failedKeys.has(key)) sendFaultError(response, 500);
    else if (consumeFault(this.#failure, path)) {
      if (this.#failure.status >= 500 && key !== '') this.#failedKeys.add(key);
      sendFaultError(response, this.#failure.status);
    } else return false;
    return true;
  }

  /**
   * Resets the connection of a request that arrived before `makeUnavailable` was called.
   * @returns whether it did
   */
  cutIfUnavailable(response: ServerResponse): boolean {
    if (this.#isAway) response.destroy();
    return this.#isAway;
  }

  /**
   * Lets the request hang if a call of `hold` matches it.
   * @returns whether it hangs
   */
  holdIfMatching(moment: HeldMoment, request: ApiRequest, response: ServerResponse): boolean {
    const hold = this.#holds.find((each) => each.moment === moment && each.isAbout(request));
    if (!hold) return false;
    hold.isReached = true;
    this.#hanging.add(response);
    return true;
  }

  /** @returns whether the response is lost although the request has taken effect */
  consumesLoss(path: string): boolean {
    return consumeFault(this.#loss, path);
  }
}

function consumeFault(fault: Fault, path: string): boolean {
  if (fault.left === 0 || !fault.path.test(path)) return false;
  fault.left -= 1;
  return true;
}

function sendFaultError(response: ServerResponse, status: number): void {
  const type = status < 500 ? 'invalid_request_error' : 'api_error';
  const error = { type, message: 'An error that the test has asked for.' };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
