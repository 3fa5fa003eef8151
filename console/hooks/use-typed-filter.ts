import { useEffect, useState } from 'preact/hooks';

/** What somebody types for a filter of the address until they search; where they go back, it is that of the address again. */
export function useTypedFilter(applied = ''): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  return [text, setText];
}
