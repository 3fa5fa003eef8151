import type { ApiResponse } from './api-client.ts';

/** The status of a response, and the code of its error if it has one: "200", "401 unauthenticated". */
export function outcomeOf({ status, body }: Pick<ApiResponse, 'status' | 'body'>): string {
  const code: string | undefined = body?.error?.code;
  return code === undefined ? String(status) : `${status} ${code}`;
}
