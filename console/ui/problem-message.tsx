import type { ApiError } from '../client/api-error.ts';
import { describeProblem, isLongWait, listOtherDetails } from '../client/describe-problem.ts';
import { KeyHint } from './key-hint.tsx';
import { TimeText } from './time-text.tsx';

export { describeFieldProblem } from '../client/describe-problem.ts';

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
  const otherDetails = listOtherDetails(problem, inlineFields);
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
