import { Group } from '@mantine/core';
import { path } from '../../client/paths.ts';
import type { Receipt } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { ListView } from '../../components/lists/list-view.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useSession } from '../../session/session.tsx';
import { IconDownload, IconReceipt } from '../../shell/icons.ts';
import { useHistory } from '../../state/use-list.ts';
import { formatMoney } from '../billing-words.ts';
import { toReceiptsCsv } from './receipts-csv.ts';

/** Lists receipts of the workspace's payments, and downloads them as a CSV file. */
export function ReceiptsPart() {
  const receipts = useHistory<Receipt>('/api/billing/receipts', {}, ({ id }) => id);
  return (
    <ListView
      list={receipts}
      noun="receipt"
      empty={
        <EmptyState icon={<IconReceipt size={32} />} title="No receipts yet">
          You get a receipt for each payment.
        </EmptyState>
      }
    >
      {(shown) => (
        <>
          <DataTable label="Receipts" rows={shown} columns={columns} />
          <Group>
            <ActionButton icon={<IconDownload />} onAction={() => saveCsv(shown)}>
              Export CSV
            </ActionButton>
          </Group>
        </>
      )}
    </ListView>
  );
}

async function saveCsv(receipts: readonly Receipt[]): Promise<void> {
  saveFile(new Blob([toReceiptsCsv(receipts)], { type: 'text/csv' }), 'receipts.csv');
}

const columns: DataColumn<Receipt>[] = [
  {
    name: 'Number',
    render: ({ number, description }) => (
      <>
        <strong>{number}</strong>
        <span className="cell-note">{description}</span>
      </>
    ),
  },
  { name: 'Issued', render: ({ issued_at: at }) => <RelativeTime at={at} /> },
  {
    name: 'Billed to',
    render: ({ addressee }) => addressee.legal_name || addressee.billing_email || '–',
  },
  {
    name: 'Amount',
    kind: 'number',
    render: ({ amount_cents: amount, tax_cents: tax, currency, status }) => (
      <>
        <span>{formatMoney(amount, currency)}</span>
        {tax > 0 && <span className="cell-note">incl. {formatMoney(tax, currency)} tax</span>}
        {status === 'refunded' && <span className="tag">Refunded</span>}
      </>
    ),
  },
  { name: 'File', render: (receipt) => <ReceiptFile receipt={receipt} /> },
];

function ReceiptFile({ receipt: { id, number, is_file_ready: isReady } }: { receipt: Receipt }) {
  const { client } = useSession();
  if (!isReady) return 'The PDF is being prepared';
  const downloadReceipt = async (): Promise<void> =>
    saveFile(await client.file(path`/api/billing/receipts/${id}/download`), `receipt-${number}.pdf`);
  return (
    <ActionButton size="xs" about={number} onAction={downloadReceipt}>
      Download
    </ActionButton>
  );
}
