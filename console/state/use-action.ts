import { useRef, useState } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';

export interface Action<A extends unknown[]> {
  /** Starts the action; does nothing while the action is running. */
  run(...args: A): void;
  isBusy: boolean;
  problem: ApiError | null;
}

/**
 * Runs an asynchronous action that the user starts, such as saving. Provides whether the action is running,
 * and its last error.
 * @param onProblem called after a failure, even if the component has been unmounted
 */
export function useAction<A extends unknown[]>(
  action: (...args: A) => Promise<void>,
  onProblem?: (problem: ApiError) => void,
): Action<A> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const isRunning = useRef(false);
  const perform = async (args: A): Promise<void> => {
    isRunning.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await action(...args);
    } catch (error) {
      const known = toApiError(error);
      setProblem(known);
      onProblem?.(known);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return {
    run: (...args) => {
      if (!isRunning.current) void perform(args);
    },
    isBusy,
    problem,
  };
}
