import { ActionIcon, Tooltip } from '@mantine/core';
import { IconRefresh } from '../../shell/icons.ts';

/** Button that loads the data of a page again. */
export function RefreshButton({ onRefresh }: { onRefresh(): void }) {
  return (
    <Tooltip label="Refresh">
      <ActionIcon variant="default" size={36} aria-label="Refresh" onClick={onRefresh}>
        <IconRefresh />
      </ActionIcon>
    </Tooltip>
  );
}
