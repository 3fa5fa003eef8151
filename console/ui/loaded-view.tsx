import type { ComponentChildren } from 'preact';
import type { Loaded } from '../hooks/use-load.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface LoadedViewProps<T> {
  loaded: Loaded<T>;
  children(data: T): ComponentChildren;
}

/** Renders loaded data. While loading, shows a hint; after a failure, the error. */
export function LoadedView<T>({
  loaded: { data, problem, isLoading, reload },
  children,
}: LoadedViewProps<T>) {
  return (
    <>
      <ProblemMessage problem={problem} onRetry={reload} />
      {data === undefined && problem === null && isLoading && (
        <p class="hint" role="status">
          Loading …
        </p>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
