import { useState } from 'preact/hooks';

/** What is typed stays as it was typed while it says what is kept: `1.` says 1. */
export function useTyped<T>(value: T, show: (value: T) => string, read: (text: string) => T) {
  const [typed, setTyped] = useState(() => show(value));
  const isSame = JSON.stringify(read(typed)) === JSON.stringify(value);
  return [isSame ? typed : show(value), setTyped] as const;
}
