import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Wraps a component whose script is loaded on first use. */
export function lazyComponent<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
): FunctionComponent<P> {
  let Loaded: FunctionComponent<P> | null = null;
  return function Lazy(props: P) {
    const [isThere, setThere] = useState(Loaded !== null);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Loaded !== null) return;
      load().then(
        (loaded) => {
          Loaded = loaded;
          setThere(true);
        },
        () => setFailed(true),
      );
    }, []);
    if (isThere && Loaded !== null) return <Loaded {...props} />;
    return hasFailed ? (
      <p class="problem" role="alert">
        This part of the console cannot be loaded. Parley may have been updated, or cannot be reached: reload
        the page.
      </p>
    ) : (
      <p class="hint" role="status">
        Loading …
      </p>
    );
  };
}
