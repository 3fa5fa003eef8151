import { Alert, Button, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { getOwn } from '../../../browser/own-value.ts';
import type { ApiError } from '../../client/api-error.ts';
import { describeProblem, isLongWait, listOtherDetails } from '../../client/describe-problem.ts';
import { KeyHint } from './key-hint.tsx';
import { formatFullTime } from '../text/format-time.ts';

export interface ProblemMessageProps {
  problem: ApiError | null;
  onRetry?: () => void;
  /** Labels of the form's inputs, by name of the field in the API's error. */
  labels?: Readonly<Record<string, string>>;
  /** Fields whose inputs show their own errors, which this message therefore omits. */
  inlineFields?: readonly string[];
  /** Content after the error message. */
  children?: ReactNode;
}

const noLabels = {};

/** Shows an API error with the role `alert`, so that screen readers announce it immediately. */
export function ProblemMessage({
  problem,
  onRetry,
  labels = noLabels,
  inlineFields = [],
  children,
}: ProblemMessageProps) {
  if (problem === null) return null;
  const otherDetails = listOtherDetails(problem, inlineFields);
  if (problem.details.length > 0 && otherDetails.length === 0) return null;
  return (
    <Alert color="red">
      {describeProblem(problem, labels)}
      {otherDetails.length > 0 && problem.details.length > 1 && (
        <List size="sm">
          {otherDetails.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              {getOwn(labels, field) ?? field} {message}
            </List.Item>
          ))}
        </List>
      )}
      {isLongWait(problem) && (
        <Text size="sm">You can try again at {formatFullTime(new Date(problem.retryAt).toISOString())}.</Text>
      )}
      {problem.status >= 500 && problem.requestId !== null && (
        <Text size="xs">Request ID: {problem.requestId}</Text>
      )}
      {problem.code === 'key_unavailable' && <KeyHint />}
      {children}
      {onRetry !== undefined && ![403, 404].includes(problem.status) && (
        <Button variant="default" size="xs" mt="xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
