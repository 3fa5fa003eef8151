import type { ApiError } from '../../client/api-error.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';

export interface NameFieldProps {
  value: string;
  onChange(name: string): void;
  /** Error of the last attempt to save the workspace's name. */
  problem: ApiError | null;
  isFocused?: boolean;
}

/** Input for the name of a workspace. */
export function WorkspaceNameField({ problem, ...field }: NameFieldProps) {
  return (
    <TextField
      label="Workspace name"
      {...field}
      problem={describeFieldProblem(problem, 'name', 'The name')}
      minLength={2}
      maxLength={255}
      isRequired
    />
  );
}
