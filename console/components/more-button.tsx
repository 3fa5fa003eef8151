import { Button } from '@mantine/core';
import type { Pages } from '../state/use-pages.ts';
import { formatCount } from './format-count.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface MoreButtonProps<T> {
  pages: Pages<T>;
  /** Noun for the items of the list, in the singular. */
  noun: string;
  /** Plural of the noun; by default the noun with an s. */
  plural?: string;
}

/** Footer of a paged list: the number of shown items, and a button that loads more. */
export function MoreButton<T>({ pages: { data, more }, noun, plural }: MoreButtonProps<T>) {
  if (data === undefined || data.items.length === 0) return null;
  const total = Math.max(data.total, data.items.length);
  return (
    <>
      <ProblemMessage problem={more.problem} />
      <div className="list-foot">
        <span>
          {data.items.length} of {formatCount(total, noun, plural)}
        </span>
        {data.nextCursor !== null && <ShowMore more={more} />}
      </div>
    </>
  );
}

/** Button that loads the next page of a list. */
export function ShowMore({ more }: Pick<Pages<unknown>, 'more'>) {
  return (
    <Button
      variant="default"
      size="xs"
      aria-disabled={more.isBusy}
      data-inactive={more.isBusy || undefined}
      onClick={() => more.run()}
    >
      {more.isBusy ? 'Loading…' : 'Show more'}
    </Button>
  );
}
