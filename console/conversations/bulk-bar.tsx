import { Alert, Button, CloseButton, List } from '@mantine/core';
import { useState } from 'react';
import type { BulkResponse } from '../client/types.ts';
import { ActionButton } from '../components/dialogs/action-button.tsx';
import { ConfirmButton } from '../components/dialogs/confirm-button.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';

export interface BulkBarProps {
  selected: ReadonlySet<string>;
  /** Number of conversations that the list shows. */
  shown: number;
  onSelectAll(): void;
  onClear(): void;
  /**
   * Called after an action on the selected conversations has ended.
   * @param remaining ids that stay selected, because their action failed or was not requested
   */
  onDone(remaining: ReadonlySet<string>): void;
}

/** Maximum number of conversations that the API accepts in one request. */
const MAX_AT_ONCE = 200;

/** Bar with actions on the selected conversations, which floats at the lower edge of the page. */
export function BulkBar({ selected, shown, onSelectAll, onClear, onDone }: BulkBarProps) {
  const { client } = useSession();
  const mayDelete = usePermission()('conversations:write', 'admin');
  const [outcome, setOutcome] = useState<BulkResponse | null>(null);
  const apply = async (action: 'resolve' | 'reopen' | 'delete'): Promise<void> => {
    const ids = [...selected].slice(0, MAX_AT_ONCE);
    const response = await client.post<BulkResponse>('/api/conversations/bulk', { ids, action });
    setOutcome(response);
    const doneIds = new Set(response.results.filter(({ ok }) => ok).map(({ id }) => id));
    onDone(new Set([...selected].filter((id) => !doneIds.has(id))));
  };
  if (selected.size === 0 && outcome === null) return null;
  return (
    <div className="bulk-frame">
      {outcome !== null && <Outcome response={outcome} onDismiss={() => setOutcome(null)} />}
      {selected.size > 0 && (
        <div className="bulk-bar" role="group" aria-label="Selected conversations">
          <span>
            {selected.size} selected
            {selected.size > MAX_AT_ONCE && `; actions apply to the first ${MAX_AT_ONCE}`}
          </span>
          {selected.size < shown && (
            <Button variant="subtle" size="compact-xs" onClick={onSelectAll}>
              Select all
            </Button>
          )}
          <ActionButton size="xs" onAction={() => apply('resolve')}>
            Resolve
          </ActionButton>
          <ActionButton size="xs" onAction={() => apply('reopen')}>
            Reopen
          </ActionButton>
          {mayDelete && (
            <ConfirmButton
              size="xs"
              question={`Delete ${formatCount(Math.min(selected.size, MAX_AT_ONCE), 'conversation')}?`}
              consequence="This permanently deletes the conversations and their messages."
              onConfirm={() => apply('delete')}
            >
              Delete
            </ConfirmButton>
          )}
          <CloseButton aria-label="Clear selection" onClick={onClear} />
        </div>
      )}
    </div>
  );
}

function Outcome({
  response: { results, succeeded, failed },
  onDismiss,
}: {
  response: BulkResponse;
  onDismiss(): void;
}) {
  return (
    <Alert
      role="status"
      color={failed > 0 ? 'red' : 'green'}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onDismiss}
    >
      {formatCount(succeeded, 'conversation')} updated{failed > 0 && `, ${failed} failed:`}
      {failed > 0 && (
        <List size="sm">
          {results
            .filter(({ ok }) => !ok)
            .map(({ id, error }) => (
              <List.Item key={id}>
                <a href={buildHref(['conversations', id])}>{id}</a> {error}
              </List.Item>
            ))}
        </List>
      )}
    </Alert>
  );
}
