import { formatCount } from '../../components/format-count.ts';
import type { Difference, ItemDifference } from './diff-snapshots.ts';
import type { TextPart } from './diff-texts.ts';

/** Lists the differences between two snapshots, field by field. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className="differences">
      {differences.map((difference, at) => (
        <div key={at}>
          <dt>{difference.name}</dt>
          <dd>
            <DifferenceView difference={difference} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function DifferenceView({ difference }: { difference: Difference }) {
  switch (difference.kind) {
    case 'value':
      return (
        <p className="row">
          {difference.before === null ? <NotSet /> : <Removed>{difference.before}</Removed>}
          <span aria-hidden="true">→</span>
          {difference.after === null ? <NotSet /> : <Added>{difference.after}</Added>}
        </p>
      );
    case 'text':
      return (
        <div className="text" dir="auto">
          {difference.parts.map((part, at) => (
            <PartView key={at} part={part} isFirst={at === 0} isLast={at === difference.parts.length - 1} />
          ))}
        </div>
      );
    case 'list':
      return <ListView {...difference} />;
    case 'group':
      return <Differences differences={difference.differences} />;
  }
}

interface ListViewProps {
  items: readonly ItemDifference[];
  unchanged: number;
}

const marks: Record<ItemDifference['kind'], string> = {
  added: 'good',
  removed: 'bad',
  changed: 'busy',
  moved: 'quiet',
  'changed and moved': 'busy',
};

function ListView({ items, unchanged }: ListViewProps) {
  return (
    <>
      <ul className="plain-list">
        {items.map(({ kind, title, place, differences }) => (
          <li key={`${kind} ${title} ${place}`}>
            <span className={`badge ${marks[kind]}`}>{kind}</span>{' '}
            <bdi>
              {kind === 'removed' ? <del>{title}</del> : kind === 'added' ? <ins>{title}</ins> : title}
            </bdi>
            {(kind === 'moved' || kind === 'changed and moved') && (
              <span className="hint"> now number {place}</span>
            )}
            {differences.length > 0 && <Differences differences={differences} />}
          </li>
        ))}
      </ul>
      {unchanged > 0 && <p className="hint">{formatCount(unchanged, 'other')} as before.</p>}
    </>
  );
}

/** Maximum characters of unchanged text to show before and after a change. */
const CONTEXT = 160;

function PartView({ part, isFirst, isLast }: { part: TextPart; isFirst: boolean; isLast: boolean }) {
  const { kind, text } = part;
  if (kind === 'removed') return <Removed>{text}</Removed>;
  if (kind === 'added') return <Added>{text}</Added>;
  if (text.length <= 3 * CONTEXT) return <>{text}</>;
  // Cut between words, if a space is within the shown characters.
  const start = isFirst ? '' : text.slice(0, CONTEXT).replace(/(?<=\s)\S+$/, '');
  const end = isLast ? '' : text.slice(-CONTEXT).replace(/^\S+(?=\s)/, '');
  const between = text.slice(start.length, text.length - end.length);
  return (
    <>
      {start}
      <details className="as-before">
        <summary>{formatCount(between.length, 'character')} as before</summary>
        {between}
      </details>
      {end}
    </>
  );
}

function NotSet() {
  return <span className="hint">not set</span>;
}

function Removed({ children }: { children: string }) {
  return (
    <del>
      <span className="unseen">removed: </span>
      {children}
    </del>
  );
}

function Added({ children }: { children: string }) {
  return (
    <ins>
      <span className="unseen">added: </span>
      {children}
    </ins>
  );
}
