import { CurrentPasswordField, TextField } from '../../components/forms/fields.tsx';
import type { ApiError } from '../../client/api-error.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';

export interface ProofFieldsProps {
  password: string;
  onPassword(password: string): void;
  code: string;
  onCode(code: string): void;
  problem: ApiError | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
}

/**
 * Inputs with which a user confirms a change of the account: the password, and a code of the second factor.
 */
export function ProofFields(props: ProofFieldsProps) {
  const { problem, hasPassword, hasSecondFactor } = props;
  return (
    <>
      {hasPassword && (
        <CurrentPasswordField
          value={props.password}
          onChange={props.onPassword}
          problem={describeFieldProblem(problem, 'password', 'This')}
          isFocused
        />
      )}
      {hasSecondFactor && (
        <TextField
          label="Authenticator code or recovery code"
          value={props.code}
          onChange={props.onCode}
          problem={describeFieldProblem(problem, 'code', 'The code')}
          minLength={4}
          maxLength={64}
          autoComplete="one-time-code"
          isRequired
        />
      )}
    </>
  );
}
