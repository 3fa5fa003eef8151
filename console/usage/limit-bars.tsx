import styles from './limit-bars.css';
import type { UsageSummary } from '../client/types.ts';
import { adoptStyles } from '../components/theme/adopt-styles.ts';
import { limitNames, listLimitUses, type LimitUse } from './limit-uses.ts';

adoptStyles(styles);

/**
 * Shows how much of each limit of a plan is used as a bar. Use this component only in pages that are loaded
 * on demand.
 */
export function LimitBars({ usage }: { usage: UsageSummary }) {
  return (
    <ul className="limit-bars">
      {listLimitUses(usage).map((use) => (
        <li key={use.limit} data-limit={use.limit}>
          <Bar {...use} />
        </li>
      ))}
    </ul>
  );
}

function Bar({ limit, used, max, isExceeded }: LimitUse) {
  const name = limitNames[limit];
  const text =
    max === null ? `${formatNumber(used)} · Unlimited` : `${formatNumber(used)} of ${formatNumber(max)}`;
  return (
    <>
      <span>
        <strong>{name}</strong>
        <span className={isExceeded ? 'field-problem' : 'field-hint'}>
          {text}
          {isExceeded && (used > (max ?? used) ? ' · Over the limit' : ' · Limit reached')}
        </span>
      </span>
      {max !== null && (
        <meter
          aria-label={name}
          min={0}
          max={Math.max(max, 1)}
          low={0.8 * max}
          high={max}
          optimum={0}
          value={used}
        />
      )}
    </>
  );
}

function formatNumber(count: number): string {
  return count.toLocaleString('en-US');
}
