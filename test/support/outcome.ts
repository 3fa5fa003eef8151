import assert from 'node:assert/strict';
import type { Problem } from '../../api/http/problems/problem.ts';

/** The status of a response, and the code of its error if it has one: "200", "401 unauthenticated". */
export function outcomeOf({ status, body }: { status: number; body: unknown }): string {
  const code = (body as { error?: { code: string } } | null)?.error?.code;
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** Asserts that visitors learn nothing of the workspace's key from the problem. */
export function assertNeutral({ title, error, detail }: Problem): void {
  const message = 'This is not available right now. Try again later.';
  assert.deepEqual(
    { title, error, detail },
    { title: 'Not available right now', error: { code: 'key_unavailable', message }, detail: message },
  );
}
