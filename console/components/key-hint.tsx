import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';

/** Explains what happens while the workspace's encryption key is unavailable. */
export function KeyHint() {
  const may = usePermission();
  return (
    <p>
      Nothing is lost: what waits goes on by itself once the key can be used again.{' '}
      {may('encryption:read', 'admin') ? (
        <a href={buildHref(['encryption'])}>What the key service said last</a>
      ) : (
        'An owner of the workspace can see to it.'
      )}
    </p>
  );
}
