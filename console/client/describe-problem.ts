import { getOwn } from '../../browser/own-value.ts';
import type { ApiError } from './api-error.ts';

const LONG_WAIT_MS = 60_000;

/** Returns the details of an API error that no input of the form shows itself. */
export function listOtherDetails(problem: ApiError, inlineFields: readonly string[]) {
  return problem.details.filter(({ field }) => !inlineFields.some((known) => isFieldWithin(field, known)));
}

/**
 * Returns the message of the error about a field or one of its nested fields; undefined if no such error
 * exists.
 */
export function describeFieldProblem(
  problem: ApiError | null,
  field: string,
  label: string,
): string | undefined {
  const detail = problem?.details.find((each) => isFieldWithin(each.field, field));
  if (detail === undefined) return undefined;
  const [, position] = /^\[(\d+)\]/.exec(detail.field.slice(field.length)) ?? [];
  return `${position === undefined ? label : `${label}, number ${Number(position) + 1},`} ${detail.message}.`;
}

/** Whether the field name in an API error equals `whole` or is nested in it, such as `a.b` in `a`. */
function isFieldWithin(field: string, whole: string): boolean {
  return field === whole || (field.startsWith(whole) && /^[.[]/.test(field.slice(whole.length)));
}

/**
 * Whether the wait until the next attempt of a request is so long that a time is clearer than a countdown.
 */
export function isLongWait(problem: ApiError): problem is ApiError & { retryAt: number } {
  return problem.status === 429 && problem.retryAt !== null && problem.retryAt - Date.now() > LONG_WAIT_MS;
}

/** @param labels labels of the form's inputs, by name of the field in the API's error */
export function describeProblem(
  { status, message, details }: ApiError,
  labels: Readonly<Record<string, string>>,
): string {
  if (status === 403) return `You don't have permission: ${message}`;
  const [only, ...others] = details;
  const label = only && others.length === 0 ? getOwn(labels, only.field) : undefined;
  return label === undefined ? message : `${label} ${only?.message}.`;
}
