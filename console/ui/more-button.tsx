import type { Pages } from '../hooks/use-pages.ts';
import { countText } from './count-text.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface MoreButtonProps<T> {
  pages: Pages<T>;
  /** What one of them is called. */
  noun: string;
  /** What several are, where that is not the noun with an s. */
  plural?: string;
}

/** Below a list: how much of it is shown, and the next page. */
export function MoreButton<T>({ pages: { data, more }, noun, plural }: MoreButtonProps<T>) {
  if (data === undefined || data.items.length === 0) return null;
  const total = Math.max(data.total, data.items.length);
  return (
    <div class="more">
      <ProblemMessage problem={more.problem} />
      <span class="hint">
        {data.items.length} of {countText(total, noun, plural)}
      </span>
      {data.nextCursor !== null && <ShowMore more={more} />}
    </div>
  );
}

/** Shows the next page of a list as well. */
export function ShowMore({ more }: Pick<Pages<unknown>, 'more'>) {
  return (
    <button type="button" aria-disabled={more.isBusy} onClick={() => more.run()}>
      {more.isBusy ? 'Loading …' : 'Show more'}
    </button>
  );
}
