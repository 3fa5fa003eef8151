import type { Pages } from '../hooks/use-pages.ts';
import { ProblemMessage } from './problem-message.tsx';

/** Below a list: how much of it is shown, and the next page. */
export function MoreButton<T>({ pages: { data, more }, noun }: { pages: Pages<T>; noun: string }) {
  if (data === undefined || data.items.length === 0) return null;
  return (
    <div class="more">
      <ProblemMessage problem={more.problem} />
      <span class="hint">
        {data.items.length} of {Math.max(data.total, data.items.length)} {noun}
      </span>
      {data.nextCursor !== null && (
        <button type="button" disabled={more.isBusy} onClick={() => more.run()}>
          {more.isBusy ? 'Loading …' : 'Show more'}
        </button>
      )}
    </div>
  );
}
