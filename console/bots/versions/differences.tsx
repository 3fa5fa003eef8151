import { Status, type Tone } from '../../components/lists/status.tsx';
import { capitalize } from '../../components/text/capitalize.ts';
import { formatCount } from '../../components/text/format-count.ts';
import type { Difference, ItemDifference } from './diff-snapshots.ts';
import type { TextPart } from './diff-texts.ts';

export interface DifferencesProps {
  differences: readonly Difference[];
  /** Names of the compared snapshots, as headings of their columns; omitted in a group of differences. */
  names?: readonly [string, string];
}

/** Lists the differences between two snapshots of a bot, field by field, with both snapshots side by side. */
export function Differences({ differences, names }: DifferencesProps) {
  return (
    <dl className="differences">
      {names && (
        <div className="difference-names" aria-hidden="true">
          <span />
          <div className="sides">
            <span>{names[0]}</span>
            <span>{names[1]}</span>
          </div>
        </div>
      )}
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
        <div className="sides">
          <p>{difference.before === null ? <NotSet /> : <Removed>{difference.before}</Removed>}</p>
          <p>{difference.after === null ? <NotSet /> : <Added>{difference.after}</Added>}</p>
        </div>
      );
    case 'text':
      return (
        <div className="sides">
          <TextSide parts={difference.parts} omitted="added" />
          <TextSide parts={difference.parts} omitted="removed" />
        </div>
      );
    case 'list':
      return <ListView {...difference} />;
    case 'group':
      return <Differences differences={difference.differences} />;
  }
}

function TextSide({ parts, omitted }: { parts: readonly TextPart[]; omitted: TextPart['kind'] }) {
  return (
    <div className="difference-text" dir="auto">
      {parts.map((part, at) =>
        part.kind === omitted ? null : (
          <PartView key={at} part={part} isFirst={at === 0} isLast={at === parts.length - 1} />
        ),
      )}
    </div>
  );
}

interface ListViewProps {
  items: readonly ItemDifference[];
  unchanged: number;
}

const marks: Record<ItemDifference['kind'], Tone> = {
  added: 'good',
  removed: 'bad',
  changed: 'busy',
  moved: 'quiet',
  'changed and moved': 'busy',
};

function ListView({ items, unchanged }: ListViewProps) {
  return (
    <>
      <ul className="difference-list">
        {items.map(({ kind, title, position, differences }) => (
          <li key={`${kind} ${title} ${position}`}>
            <Status tone={marks[kind]}>{capitalize(kind)}</Status>{' '}
            <bdi>
              {kind === 'removed' ? <del>{title}</del> : kind === 'added' ? <ins>{title}</ins> : title}
            </bdi>
            {(kind === 'moved' || kind === 'changed and moved') && (
              <span className="hint"> now at position {position}</span>
            )}
            {differences.length > 0 && <Differences differences={differences} />}
          </li>
        ))}
      </ul>
      {unchanged > 0 && <p className="hint">{formatCount(unchanged, 'item')} unchanged</p>}
    </>
  );
}

/** Maximum characters of unchanged text to show before and after a change in a text. */
const CONTEXT = 160;

function PartView({ part, isFirst, isLast }: { part: TextPart; isFirst: boolean; isLast: boolean }) {
  const { kind, text } = part;
  if (kind === 'removed') return <Removed>{text}</Removed>;
  if (kind === 'added') return <Added>{text}</Added>;
  if (text.length <= 3 * CONTEXT) return <>{text}</>;
  // Cut the unchanged text between words, if a space is within the shown characters.
  const start = isFirst ? '' : text.slice(0, CONTEXT).replace(/(?<=\s)\S+$/, '');
  const end = isLast ? '' : text.slice(-CONTEXT).replace(/^\S+(?=\s)/, '');
  const between = text.slice(start.length, text.length - end.length);
  return (
    <>
      {start}
      <details className="as-before">
        <summary>{formatCount(between.length, 'character')} unchanged</summary>
        {between}
      </details>
      {end}
    </>
  );
}

function NotSet() {
  return <span className="hint">Not set</span>;
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
