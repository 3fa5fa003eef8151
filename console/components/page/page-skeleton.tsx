import { Skeleton } from '@mantine/core';

const ROWS = [92, 78, 86, 64, 90, 72, 82, 58];

/** Outline of a page with a table, shown while its script or data is loaded. */
export function PageSkeleton() {
  return (
    <div className="page" role="status" aria-label="Loading">
      <Skeleton height={24} width={180} />
      <RowSkeletons />
    </div>
  );
}

/** Outline of the rows of a table. */
export function RowSkeletons() {
  return (
    <div className="row-skeletons">
      {ROWS.map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </div>
  );
}
