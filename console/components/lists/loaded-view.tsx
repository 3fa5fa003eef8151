import type { ReactNode } from 'react';
import type { Loaded } from '../../state/use-loaded.ts';
import { RowSkeletons } from '../page/page-skeleton.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';

export interface LoadedViewProps<T> {
  loaded: Loaded<T>;
  children(data: T): ReactNode;
}

/** Renders loaded data. While loading, shows an outline of rows; after a failure, the error. */
export function LoadedView<T>({
  loaded: { data, problem, isLoading, reload },
  children,
}: LoadedViewProps<T>) {
  return (
    <>
      <ProblemMessage problem={problem} onRetry={reload} />
      {data === undefined && problem === null && isLoading && (
        <div role="status" aria-label="Loading">
          <RowSkeletons />
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  );
}
