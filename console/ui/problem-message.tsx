import type { ApiError } from '../client/api-error.ts';
import { KeyHint } from './key-hint.tsx';
import { TimeText } from './time-text.tsx';

const LONG_WAIT_MS = 60_000;

export interface ProblemMessageProps {
  problem: ApiError | null;
  onRetry?: () => void;
  /** Labels of the form's inputs, by name of the field in the API's error. */
  labels?: Readonly<Record<string, string>>;
  /** Fields whose inputs show their own errors, which this message therefore omits. */
  inlineFields?: readonly string[];
}

/** Shows an error with the role `alert`, so that screen readers announce it immediately. */
export function ProblemMessage({ problem, onRetry, labels = {}, inlineFields = [] }: ProblemMessageProps) {
  if (problem === null) return null;
  const otherDetails = problem.details.filter(
    ({ field }) => !inlineFields.some((known) => isFieldWithin(field, known)),
  );
  if (problem.details.length > 0 && otherDetails.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <p>{describeProblem(problem, labels)}</p>
      {otherDetails.length > 0 && problem.details.length > 1 && (
        <ul>
          {otherDetails.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {labels[field] ?? <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {isLongWait(problem) && (
        <p>
          You can try again at <TimeText at={new Date(problem.retryAt).toISOString()} />.
        </p>
      )}
      {problem.code === 'key_unavailable' && <KeyHint />}
      {problem.status >= 500 && problem.requestId !== null && (
        <p class="hint">For support: {problem.requestId}</p>
      )}
      {onRetry !== undefined && ![403, 404].includes(problem.status) && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Returns the message of the error about a field or one of its nested fields; undefined if there is none. */
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

/** Whether a field name equals `whole` or is nested in it, such as `a.b` in `a`. */
function isFieldWithin(field: string, whole: string): boolean {
  return field === whole || (field.startsWith(whole) && /^[.[]/.test(field.slice(whole.length)));
}

/** Whether the wait until the next attempt is so long that a time is clearer than a countdown. */
function isLongWait(problem: ApiError): problem is ApiError & { retryAt: number } {
  return problem.status === 429 && problem.retryAt !== null && problem.retryAt - Date.now() > LONG_WAIT_MS;
}

function describeProblem(
  { status, message, details }: ApiError,
  labels: Readonly<Record<string, string>>,
): string {
  if (status === 403) return `You may not do or see this: ${message}`;
  const [only, ...others] = details;
  const label = only && others.length === 0 ? labels[only.field] : undefined;
  return label === undefined ? message : `${label} ${only?.message}.`;
}
