import { useState } from 'preact/hooks';

/** Keeps the typed text as long as it parses to the stored value: `1.` stays although it means 1. */
export function useTyped<T>(value: T, show: (value: T) => string, read: (text: string) => T) {
  const [typed, setTyped] = useState(() => show(value));
  const isSame = JSON.stringify(read(typed)) === JSON.stringify(value);
  return [isSame ? typed : show(value), setTyped] as const;
}
