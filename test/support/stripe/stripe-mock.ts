import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Made by `GOBIN=~/.cache/parley/bin go install github.com/stripe/stripe-mock@v0.203.0`. */
const binary = join(homedir(), '.cache', 'parley', 'bin', 'stripe-mock');

export interface ApiRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface ApiResponse {
  status: number;
  body: object;
}

/** Tests that need a Stripe; where stripe-mock is not there, their title says so. */
export function describeWithStripe(title: string, tests: (this: Mocha.Suite) => void): void {
  if (existsSync(binary)) describe(title, tests);
  else describe.skip(`${title}: skipped, as there is no stripe-mock at ${binary}`, tests);
}

let mock: Promise<string> | undefined;

/** Of the one that serves this process; the first call starts it. */
export function stripeMockOrigin(): Promise<string> {
  return (mock ??= startStripeMock());
}

/**
 * Looks whether Stripe's API has such a request. stripe-mock knows API version
 * 2026-08-26.dahlia, and compares no versions unless it is told to: the SDK's, 2026-10-28.endive, goes through.
 * @returns the refusal, or null
 */
export async function refusalOfApi({ method, path, headers, body }: ApiRequest): Promise<ApiResponse | null> {
  const response = await fetch(`${await stripeMockOrigin()}${path}`, {
    method,
    headers,
    ...(body !== '' && { body }),
  });
  const refusal = (await response.json()) as object;
  return response.ok ? null : { status: response.status, body: refusal };
}

/** @returns its origin */
async function startStripeMock(): Promise<string> {
  const child = spawn(binary, ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill());
  const lines = createInterface(child.stdout);
  const origin = await Promise.race([
    listeningAt(lines),
    once(child, 'exit').then(() => Promise.reject(new Error('stripe-mock did not start.'))),
  ]);
  child.stdout.resume();
  // Neither it nor its pipe keeps this process.
  child.unref();
  (child.stdout as Socket).unref();
  return origin;
}

async function listeningAt(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /Listening for HTTP at address: (\S+)/.exec(line)?.[1];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error('stripe-mock ended before it listened.');
}
