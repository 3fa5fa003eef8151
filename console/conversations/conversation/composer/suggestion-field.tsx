import {
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { findToken } from './find-token.ts';

/** Props of a list of suggestions, which opens above the text field. */
export interface SuggestionProps {
  listId: string;
  /** Text that the user has typed after the character that opens the list. */
  query: string;
  /** Index of the suggestion that the key Enter inserts. */
  active: number;
  /** Passes to the text field which texts the list contains, in their order. */
  setTexts(texts: readonly string[]): void;
  insert(text: string): void;
  close(): void;
}

export interface SuggestionFieldHandle {
  /** Inserts the trigger character at the caret, which opens the list of suggestions. */
  insertTrigger(): void;
}

export interface SuggestionFieldProps {
  ref?: Ref<SuggestionFieldHandle>;
  label: string;
  placeholder: string;
  /** Character that opens the list of suggestions, at the start of a word. */
  trigger: '/' | '@';
  text: string;
  hintId: string;
  isDisabled?: boolean;
  isFocused?: boolean;
  shortcut?: string;
  onChange(text: string): void;
  /** @param event press of the key Enter, alone or with Ctrl or ⌘ */
  onSubmit(event: KeyboardEvent): void;
  renderSuggestions(props: SuggestionProps): ReactNode;
}

/** Text area in which typing a character opens a list of texts to insert. The key Enter submits the text. */
export function SuggestionField(props: SuggestionFieldProps) {
  const {
    ref,
    label,
    placeholder,
    trigger,
    text,
    hintId,
    isDisabled,
    isFocused,
    shortcut,
    onChange,
    onSubmit,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  /** Index of the word whose list of suggestions the user has closed; null if none. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const insertableTexts = useRef<readonly string[]>([]);
  const candidate = findToken(text, caret, trigger);
  const token = candidate !== null && candidate.start !== closedAt && !isDisabled ? candidate : null;

  const write = (next: string, at: number): void => {
    onChange(next);
    setCaret(at);
    setActive(0);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(at, at);
    });
  };
  const insert = (inserted: string): void => {
    if (token === null) return;
    write(text.slice(0, token.start) + inserted + text.slice(caret), token.start + inserted.length);
  };
  const close = (): void => {
    if (token !== null) setClosedAt(token.start);
  };
  useImperativeHandle(ref, () => ({
    insertTrigger: () => {
      const at = field.current?.selectionStart ?? text.length;
      const start = at === 0 || /\s$/.test(text.slice(0, at)) ? trigger : ` ${trigger}`;
      setClosedAt(null);
      write(text.slice(0, at) + start + text.slice(at), at + start.length);
    },
  }));
  /** Handles a key that moves in the list of suggestions or inserts one; returns false for any other key. */
  const moveInList = (key: string): boolean => {
    const count = insertableTexts.current.length;
    if (token === null || count === 0) return false;
    const chosenSuggestion = insertableTexts.current[active];
    if (key === 'ArrowDown') setActive((active + 1) % count);
    else if (key === 'ArrowUp') setActive((active + count - 1) % count);
    else if ((key === 'Enter' || key === 'Tab') && chosenSuggestion !== undefined) insert(chosenSuggestion);
    else return false;
    return true;
  };
  /** Moves the focus from the text area to the messages, where single keys are shortcuts. */
  const leave = (): void =>
    field.current?.closest('.thread')?.querySelector<HTMLElement>('.thread-log')?.focus();
  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (token === null) leave();
      else close();
    } else if (!event.shiftKey && moveInList(event.key)) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      // Do not submit a text that searches for a saved reply but matches none.
      if (token === null || trigger !== '/') onSubmit(event);
    }
  };
  return (
    <div
      className="suggestion-field"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      {token !== null &&
        props.renderSuggestions({
          listId,
          query: token.query,
          active,
          setTexts: (texts) => {
            insertableTexts.current = texts;
          },
          insert,
          close,
        })}
      <textarea
        ref={field}
        rows={2}
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        disabled={isDisabled}
        autoFocus={isFocused}
        aria-describedby={hintId}
        aria-autocomplete="list"
        aria-controls={token === null ? undefined : listId}
        aria-activedescendant={token === null ? undefined : `${listId}-${active}`}
        aria-keyshortcuts={shortcut}
        onChange={({ currentTarget }) => {
          setActive(0);
          setCaret(currentTarget.selectionStart);
          if (findToken(currentTarget.value, currentTarget.selectionStart, trigger) === null)
            setClosedAt(null);
          onChange(currentTarget.value);
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={handleKey}
      />
    </div>
  );
}
