import autocannon from 'autocannon';
import { percentile } from './figure.ts';

export interface Load {
  requestsPerSecond: number;
  /**
   * Median latency in milliseconds. Computed from single latencies, because the load tool's own histogram has
   * whole milliseconds.
   */
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
 * Sends requests over 32 keep-alive connections, each request after the response to the previous one.
 * @param bound seconds, or a number of requests
 * @param request the same request for all calls, or a function that builds each
 */
export async function load(
  url: string,
  bound: number | { requests: number },
  request: LoadedRequest | (() => LoadedRequest) = {},
): Promise<Load> {
  const isSame = typeof request !== 'function';
  const options: autocannon.Options = {
    url,
    connections: 32,
    ...(typeof bound === 'number' ? { duration: bound } : { amount: bound.requests }),
    ...(isSame ? request : { requests: [{ setupRequest: (blank) => ({ ...blank, ...request() }) }] }),
  };
  const latencies: number[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    run.on('response', (_client, _status, _bytes, responseMs) => {
      latencies.push(responseMs);
      lastAt = performance.now();
    });
  });
  return {
    requestsPerSecond: latencies.length / ((lastAt - startedAt) / 1000),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    failures: result.non2xx + result.errors,
  };
}
