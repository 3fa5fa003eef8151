import assert from 'node:assert/strict';
import type { Problem } from '../../api/http/problems/problem.ts';

/** Formats the status of a response and its error code, if any: "200", "401 unauthenticated". */
export function formatOutcome({ status, body }: { status: number; body: unknown }): string {
  const code = (body as { error?: { code: string } } | null)?.error?.code;
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** Asserts that an error response reveals nothing about the workspace's key to visitors. */
export function assertNeutral({ title, error, detail }: Problem): void {
  const message = 'This is not available right now. Try again later.';
  assert.deepEqual(
    { title, error, detail },
    { title: 'Not available right now', error: { code: 'key_unavailable', message }, detail: message },
  );
}
