import { useRef, useState } from 'preact/hooks';
import { toApiError, type ApiError } from '../client/api-error.ts';

export interface Action<A extends unknown[]> {
  /** Does nothing while it is busy. */
  run(...args: A): void;
  isBusy: boolean;
  problem: ApiError | null;
}

/**
 * Something that a person sets off, once at a time; why it failed is kept until the next try.
 * @param onProblem called even when what set it off has gone from the page
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
