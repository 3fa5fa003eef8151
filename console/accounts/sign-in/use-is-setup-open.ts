import { useEffect, useState } from 'react';
import { publicClient } from '../../client/client.ts';
import type { FirstRun } from '../../client/types.ts';

/**
 * Returns whether this installation waits for its first owner; undefined while unknown, or if the state
 * cannot be read.
 */
export function useIsSetupOpen(): boolean | undefined {
  const [isOpen, setOpen] = useState<boolean>();
  useEffect(() => {
    // If the state cannot be read, the form reports the problem when it is submitted.
    publicClient.get<FirstRun>('/api/ext/first-run').then(
      ({ is_open }) => setOpen(is_open),
      () => undefined,
    );
  }, []);
  return isOpen;
}
