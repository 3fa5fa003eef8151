import { path } from '../../client/paths.ts';
import type { Receipt } from '../../client/types.ts';
import { useSession } from '../../session/session.tsx';
import { ActionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { saveFile } from '../../components/save-file.ts';
import { TimeText } from '../../components/time-text.tsx';
import { formatMoney } from '../billing-words.ts';

export function ReceiptRow({ receipt }: { receipt: Receipt }) {
  const { client } = useSession();
  const { id, number, currency, tax_cents: taxCents, addressee } = receipt;
  const downloadReceipt = async (): Promise<void> =>
    saveFile(await client.file(path`/api/billing/receipts/${id}/download`), `receipt-${number}.pdf`);
  return (
    <tr data-id={id}>
      <td>{number}</td>
      <td>
        <TimeText at={receipt.issued_at} />
      </td>
      <td className="wide">{receipt.description}</td>
      <td>
        {formatMoney(receipt.amount_cents, currency)}{' '}
        {taxCents > 0 && <span className="hint">with {formatMoney(taxCents, currency)} tax</span>}{' '}
        {receipt.status === 'refunded' && <Badge state="refunded" />}
      </td>
      <td dir="auto">{addressee.legal_name || addressee.billing_email || '–'}</td>
      <td>
        <div className="row end">
          {receipt.is_file_ready ? (
            <ActionButton about={number} onAction={downloadReceipt}>
              Download
            </ActionButton>
          ) : (
            <span className="hint">Its file comes soon</span>
          )}
        </div>
      </td>
    </tr>
  );
}
