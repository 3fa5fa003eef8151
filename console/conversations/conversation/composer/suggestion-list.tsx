import { useEffect, type ReactNode } from 'react';
import type { SuggestionProps } from './suggestion-field.tsx';

interface Suggestion {
  id: string;
  name: string;
  /** Second line. */
  detail?: string;
  icon?: ReactNode;
  /** Text to insert. */
  text: string;
}

export interface SuggestionListProps extends SuggestionProps {
  label: string;
  suggestions: readonly Suggestion[];
  /** Sentence that the list shows if it has no texts. */
  empty: string;
  children?: ReactNode;
}

/** List of texts to insert, above the field in which the user types. The focus stays in the field. */
export function SuggestionList(props: SuggestionListProps) {
  const { listId, label, suggestions, active, setTexts, insert, empty, children } = props;
  useEffect(() => setTexts(suggestions.map(({ text }) => text)));
  useEffect(() => () => setTexts([]), []);
  return (
    <div className="suggestions">
      <ul id={listId} role="listbox" aria-label={label}>
        {suggestions.map(({ id, name, detail, icon, text }, index) => (
          <li
            key={id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            ref={index === active ? scrollTo : null}
            onMouseDown={(event) => {
              event.preventDefault();
              insert(text);
            }}
          >
            {icon}
            <span className="suggestion-name">{name}</span>
            {detail !== undefined && <span className="suggestion-detail">{detail}</span>}
          </li>
        ))}
      </ul>
      {suggestions.length === 0 && <p className="suggestion-empty">{empty}</p>}
      {children}
    </div>
  );
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
