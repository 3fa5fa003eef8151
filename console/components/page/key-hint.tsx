import { Text } from '@mantine/core';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';

/** Explains what happens while the workspace's encryption key is unavailable. */
export function KeyHint() {
  const may = usePermission();
  return (
    <Text>
      Nothing is lost. Everything continues once the key is available again.{' '}
      {may('encryption:read', 'admin') ? (
        <a href={buildHref(['encryption'])}>View encryption settings</a>
      ) : (
        'Ask an owner of the workspace to restore access to the key.'
      )}
    </Text>
  );
}
