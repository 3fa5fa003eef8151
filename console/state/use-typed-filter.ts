import { useEffect, useState } from 'react';

/**
 * Provides the text in the search field of a list, which applies only on submit. Resets the text when the
 * applied filter in the URL changes.
 */
export function useTypedFilter(applied = ''): [text: string, type: (text: string) => void] {
  const [text, setText] = useState(applied);
  useEffect(() => setText(applied), [applied]);
  return [text, setText];
}
