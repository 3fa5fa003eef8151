import type { ApiError } from '../client/api-error.ts';

export interface ProblemMessageProps {
  problem: ApiError | null;
  onRetry?: () => void;
}

/** Why something failed; read out as soon as it appears. */
export function ProblemMessage({ problem, onRetry }: ProblemMessageProps) {
  if (problem === null) return null;
  return (
    <div class="problem" role="alert">
      <p>{problem.status === 403 ? `You may not do or see this: ${problem.message}` : problem.message}</p>
      {problem.details.length > 1 && (
        <ul>
          {problem.details.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {problem.status >= 500 && problem.requestId !== null && (
        <p class="hint">For support: {problem.requestId}</p>
      )}
      {onRetry !== undefined && problem.status !== 403 && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
