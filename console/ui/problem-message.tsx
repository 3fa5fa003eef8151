import type { ApiError } from '../client/api-error.ts';

export interface ProblemMessageProps {
  problem: ApiError | null;
  onRetry?: () => void;
  /** What the page calls the fields of the request. */
  labels?: Readonly<Record<string, string>>;
  /** Fields that tell themselves what is wrong with them. */
  toldBy?: readonly string[];
}

/** Why something failed; read out as soon as it appears. */
export function ProblemMessage({ problem, onRetry, labels = {}, toldBy = [] }: ProblemMessageProps) {
  if (problem === null || isToldBy(toldBy, problem)) return null;
  return (
    <div class="problem" role="alert">
      <p>{messageOf(problem, labels)}</p>
      {problem.details.length > 1 && (
        <ul>
          {problem.details.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              {labels[field] ?? <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
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

/** What a refusal says of one field of the request. */
export function problemAt(problem: ApiError | null, field: string, label: string): string | undefined {
  const detail = problem?.details.find((each) => each.field === field);
  return detail && `${label} ${detail.message}.`;
}

function isToldBy(fields: readonly string[], { details }: ApiError): boolean {
  return details.length > 0 && details.every(({ field }) => fields.includes(field));
}

function messageOf({ status, message, details }: ApiError, labels: Readonly<Record<string, string>>): string {
  if (status === 403) return `You may not do or see this: ${message}`;
  const [only, ...others] = details;
  const label = only && others.length === 0 ? labels[only.field] : undefined;
  return label === undefined ? message : `${label} ${only?.message}.`;
}
