import { useEffect, useState } from 'preact/hooks';

/** Holds the text of a filter until the user applies it. Follows the address when the user navigates. */
export function useTypedFilter(applied = ''): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  return [text, setText];
}
