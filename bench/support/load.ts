import autocannon from 'autocannon';

export interface Load {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

export interface LoadedRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Closed-loop load over 32 keep-alive connections.
 * @param bound seconds, or a number of requests
 * @param request the same for all, or what makes each anew
 */
export async function load(
  url: string,
  bound: number | { requests: number },
  request: LoadedRequest | (() => LoadedRequest) = {},
): Promise<Load> {
  const isSame = typeof request !== 'function';
  const result = await autocannon({
    url,
    connections: 32,
    ...(typeof bound === 'number' ? { duration: bound } : { amount: bound.requests }),
    ...(isSame ? request : { requests: [{ setupRequest: (blank) => ({ ...blank, ...request() }) }] }),
  });
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}
