import type { Pages } from '../hooks/use-pages.ts';
import { formatCount } from './format-count.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface MoreButtonProps<T> {
  pages: Pages<T>;
  /** Singular name of an item. */
  noun: string;
  /** Plural name, if it is not the noun with an s. */
  plural?: string;
}

/** Footer of a list: the number of shown items, and a button for the next page. */
export function MoreButton<T>({ pages: { data, more }, noun, plural }: MoreButtonProps<T>) {
  if (data === undefined || data.items.length === 0) return null;
  const total = Math.max(data.total, data.items.length);
  return (
    <div class="more">
      <ProblemMessage problem={more.problem} />
      <span class="hint">
        {data.items.length} of {formatCount(total, noun, plural)}
      </span>
      {data.nextCursor !== null && <ShowMore more={more} />}
    </div>
  );
}

/** Button that loads the next page of a list. */
export function ShowMore({ more }: Pick<Pages<unknown>, 'more'>) {
  return (
    <button type="button" aria-disabled={more.isBusy} onClick={() => more.run()}>
      {more.isBusy ? 'Loading …' : 'Show more'}
    </button>
  );
}
