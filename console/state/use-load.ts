import { useCallback, useEffect, useRef, useState, type DependencyList } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { waitBeforeRetry } from './wait-before-retry.ts';

export interface Loaded<T> {
  data: T | undefined;
  problem: ApiError | null;
  isLoading: boolean;
  /** Loads the data again. The old data stays until the new data arrives. */
  reload(): void;
  set(data: T): void;
  change(change: (data: T) => T): void;
}

/**
 * Loads data on mount and whenever `inputs` change; ignores responses for earlier inputs. Retries
 * automatically while the server is unreachable.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: DependencyList): Loaded<T> {
  const [data, setData] = useState<T>();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const failures = useRef(0);
  useEffect(() => setData(undefined), inputs);
  useEffect(() => {
    const leaving = new AbortController();
    setLoading(true);
    load(leaving.signal)
      .then((loaded) => {
        if (leaving.signal.aborted) return;
        setData(loaded);
        setProblem(null);
        failures.current = 0;
      })
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setProblem(toApiError(error));
      })
      .finally(() => {
        if (!leaving.signal.aborted) setLoading(false);
      });
    return () => leaving.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    if (problem?.isTemporary !== true) return;
    const leaving = new AbortController();
    void waitBeforeRetry((failures.current += 1), leaving.signal).then(() => {
      if (!leaving.signal.aborted) reload();
    });
    return () => leaving.abort();
  }, [problem]);
  const change = useCallback(
    (next: (data: T) => T) => setData((before) => (before === undefined ? before : next(before))),
    [],
  );
  return { data, problem, isLoading, reload, set: setData, change };
}
