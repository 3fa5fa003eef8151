import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BulkResponse } from '../client/types.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ActionButton } from '../components/action-button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { formatCount } from '../components/format-count.ts';

export interface BulkBarProps {
  selected: ReadonlySet<string>;
  /**
   * Called after an action on the selected conversations.
   * @param left ids of conversations for which the action failed, which stay selected
   */
  onDone(left: ReadonlySet<string>): void;
}

/** Maximum number of conversations that the API accepts in one request. */
const MAX_AT_ONCE = 200;

export function BulkBar({ selected, onDone }: BulkBarProps) {
  const { client } = useSession();
  const mayDelete = usePermission()('conversations:write', 'admin');
  const [outcome, setOutcome] = useState<BulkResponse | null>(null);
  const apply = async (action: 'resolve' | 'reopen' | 'delete'): Promise<void> => {
    const ids = [...selected].slice(0, MAX_AT_ONCE);
    const response = await client.post<BulkResponse>('/api/conversations/bulk', { ids, action });
    setOutcome(response);
    const done = new Set(response.results.filter(({ ok }) => ok).map(({ id }) => id));
    onDone(new Set([...selected].filter((id) => !done.has(id))));
  };
  return (
    <>
      {selected.size > 0 && (
        <div className="row bulk" role="group" aria-label="For all that are selected">
          <span>
            {selected.size} selected{selected.size > MAX_AT_ONCE && `, ${MAX_AT_ONCE} at once`}
          </span>
          <ActionButton onAction={() => apply('resolve')}>Resolve</ActionButton>
          <ActionButton onAction={() => apply('reopen')}>Reopen</ActionButton>
          {mayDelete && (
            <ConfirmButton
              question={`Delete ${formatCount(Math.min(selected.size, MAX_AT_ONCE), 'conversation')}?`}
              consequence="They are permanently deleted with all their messages."
              onConfirm={() => apply('delete')}
            >
              Delete
            </ConfirmButton>
          )}
        </div>
      )}
      {outcome !== null && <Outcome response={outcome} onDismiss={() => setOutcome(null)} />}
    </>
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
    <div className={failed > 0 ? 'problem' : 'notice'} role="status">
      <p>
        {succeeded} done{failed > 0 && `, ${failed} not:`}
      </p>
      {failed > 0 && (
        <ul>
          {results
            .filter(({ ok }) => !ok)
            .map(({ id, error }) => (
              <li key={id}>
                <a href={buildHref(['conversations', id])}>{id}</a> {error}
              </li>
            ))}
        </ul>
      )}
      <Button variant="default" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
}
