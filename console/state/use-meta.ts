import { useEffect, useState } from 'react';
import { loadMeta } from '../client/load-meta.ts';
import type { Meta } from '../client/types.ts';

const RETRY_MS = 3000;

/** Returns the facts about this installation; undefined until the facts are loaded. */
export function useMeta(): Meta | undefined {
  const [meta, setMeta] = useState<Meta>();
  useEffect(() => {
    let timer = 0;
    let isUnmounted = false;
    const load = (): void => {
      loadMeta().then(
        (loaded) => {
          if (!isUnmounted) setMeta(loaded);
        },
        () => {
          if (!isUnmounted) timer = window.setTimeout(load, RETRY_MS);
        },
      );
    };
    load();
    return () => {
      isUnmounted = true;
      window.clearTimeout(timer);
    };
  }, []);
  return meta;
}
