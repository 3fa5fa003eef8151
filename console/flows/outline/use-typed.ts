import { useState } from 'react';

/**
 * Returns the text to show in an input for a parsed value. Keeps text such as `1.` that the user has typed if
 * this text means the same as the stored value.
 */
export function useTyped<T>(value: T, show: (value: T) => string, read: (text: string) => T) {
  const [typed, setTyped] = useState(() => show(value));
  const isSame = JSON.stringify(read(typed)) === JSON.stringify(value);
  return [isSame ? typed : show(value), setTyped] as const;
}
