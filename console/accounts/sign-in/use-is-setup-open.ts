import { useEffect, useState } from 'react';
import { publicClient } from '../../client/client.ts';
import type { FirstRun } from '../../client/types.ts';

/**
 * Returns whether this installation still needs its first owner account; undefined while unknown, or if the
 * API does not return the state.
 */
export function useIsSetupOpen(): boolean | undefined {
  const [isOpen, setOpen] = useState<boolean>();
  useEffect(() => {
    // If the API does not return the state, the form reports the problem when the user submits it.
    publicClient.get<FirstRun>('/api/ext/first-run').then(
      ({ is_open }) => setOpen(is_open),
      () => undefined,
    );
  }, []);
  return isOpen;
}
