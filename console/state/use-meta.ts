import { useEffect, useState } from 'react';
import { loadMeta } from '../client/load-meta.ts';
import type { Meta } from '../client/types.ts';

const RETRY_MS = 3000;

/** Returns the facts about this installation; undefined until the facts are loaded. */
export function useMeta(): Meta | undefined {
  const [meta, setMeta] = useState<Meta>();
  useEffect(() => {
    let timer = 0;
    let isGone = false;
    const load = (): void => {
      loadMeta().then(
        (loaded) => {
          if (!isGone) setMeta(loaded);
        },
        () => {
          if (!isGone) timer = window.setTimeout(load, RETRY_MS);
        },
      );
    };
    load();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, []);
  return meta;
}
