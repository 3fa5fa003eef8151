import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Path of stripe-mock, built by `GOBIN=~/.cache/parley/bin go install github.com/stripe/stripe-mock@v0.203.0`. */
const binary = join(homedir(), '.cache', 'parley', 'bin', 'stripe-mock');

export interface ApiRequest {
  method: string;
  /** Path with the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface ApiResponse {
  status: number;
  body: object;
}

/** Declares tests that need Stripe's API. Without stripe-mock they are skipped, and the title says so. */
export function describeWithStripe(title: string, tests: (this: Mocha.Suite) => void): void {
  if (existsSync(binary)) describe(title, tests);
  else describe.skip(`${title}: skipped without a stripe-mock at ${binary}`, tests);
}

let mock: Promise<string> | undefined;

/** Returns the origin of this process's stripe-mock; the first call starts it. */
export function getStripeMockOrigin(): Promise<string> {
  return (mock ??= startStripeMock());
}

/**
 * Asks stripe-mock whether Stripe's API has such a request.
 * stripe-mock knows API version 2026-08-26.dahlia. By default it compares no versions, so it accepts the SDK's,
 * 2026-10-28.endive.
 * @returns the error response, or null
 */
export async function checkWithStripeMock({
  method,
  path,
  headers,
  body,
}: ApiRequest): Promise<ApiResponse | null> {
  const response = await fetch(`${await getStripeMockOrigin()}${path}`, {
    method,
    headers,
    ...(body !== '' && { body }),
  });
  const refusal = (await response.json()) as object;
  return response.ok ? null : { status: response.status, body: refusal };
}

/** @returns the origin of stripe-mock */
async function startStripeMock(): Promise<string> {
  const child = spawn(binary, ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill());
  const lines = createInterface(child.stdout);
  const origin = await Promise.race([
    readListeningOrigin(lines),
    once(child, 'exit').then(() => Promise.reject(new Error('stripe-mock did not start.'))),
  ]);
  child.stdout.resume();
  // Let this process end while stripe-mock and its pipe are open.
  child.unref();
  (child.stdout as Socket).unref();
  return origin;
}

async function readListeningOrigin(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /Listening for HTTP at address: (\S+)/.exec(line)?.[1];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error('stripe-mock ended before it listened.');
}
