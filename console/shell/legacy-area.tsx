/** @jsxImportSource react */
import { useEffect, useRef, useState } from 'react';
import type { AreasProps, MountedAreas } from '../areas-props.ts';
import { PageSkeleton } from '../react/page-skeleton.tsx';

const UPDATED =
  'This part of the console cannot be loaded. Parley may have been updated, or cannot be reached: reload the page.';

/** Hosts the pages that still use Preact. Their script is loaded on first use. */
export function LegacyArea(props: AreasProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const mounted = useRef<MountedAreas | null>(null);
  const [state, setState] = useState<'loading' | 'failed' | 'ready'>('loading');
  latest.current = props;
  useEffect(() => {
    let isGone = false;
    import('../areas.tsx').then(
      ({ mountAreas }) => {
        if (isGone || host.current === null) return;
        mounted.current = mountAreas(host.current);
        mounted.current.draw(latest.current);
        setState('ready');
      },
      () => setState('failed'),
    );
    return () => {
      isGone = true;
      mounted.current?.close();
      mounted.current = null;
    };
  }, []);
  useEffect(() => mounted.current?.draw(props));
  return (
    <>
      {state === 'loading' && <PageSkeleton />}
      {state === 'failed' && (
        <p className="load-failure" role="alert">
          {UPDATED}
        </p>
      )}
      <div ref={host} className="legacy" />
    </>
  );
}
