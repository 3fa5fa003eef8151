import { Button } from '@mantine/core';
import { useState } from 'react';
import type { KnowledgeDocument } from '../client/types.ts';
import { ActionButton } from '../components/dialogs/action-button.tsx';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { showConfirmation } from '../components/page/notices.ts';
import { useSession } from '../session/session.tsx';
import { IconRefresh, IconTrash } from '../shell/icons.ts';

export interface BulkBarProps {
  /** URL of the bot's documents in the API. */
  url: string;
  documents: readonly KnowledgeDocument[];
  onDone(): void;
  onClear(): void;
}

/** Bar with actions for the selected documents. */
export function BulkBar({ url, documents, onDone, onClear }: BulkBarProps) {
  const { client } = useSession();
  const [isAsking, setAsking] = useState(false);
  const count = formatCount(documents.length, 'document');
  const forEach = async (act: (url: string) => Promise<unknown>, done: string): Promise<void> => {
    for (const { id } of documents) await act(`${url}/${id}`);
    showConfirmation(`${count} ${done}`);
    onDone();
  };
  return (
    <div className="document-bulk-bar" role="region" aria-label="Selected documents">
      <strong>{documents.length} selected</strong>
      <ActionButton
        size="xs"
        icon={<IconRefresh size={16} />}
        onAction={() => forEach((each) => client.post(`${each}/reindex`), 're-syncing')}
      >
        Re-sync
      </ActionButton>
      <Button
        size="xs"
        variant="light"
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => setAsking(true)}
      >
        Delete
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
      {isAsking && (
        <ConfirmDialog
          question={`Delete ${count}?`}
          consequence="The bot will stop using these documents. This can't be undone."
          action="Delete"
          onConfirm={() => forEach((each) => client.delete(each), 'deleted')}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
