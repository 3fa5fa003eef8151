import { Button } from '@mantine/core';
import { LoadedView } from '../../components/loaded-view.tsx';
import { ShowMore } from '../../components/more-button.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Table } from '../../components/table.tsx';
import { ReceiptRow } from './receipt-row.tsx';
import { toReceiptsCsv } from './receipts-csv.ts';
import { useReceipts, type Receipts } from './use-receipts.ts';

const columns = ['Number', 'Issued', 'What for', 'Amount', 'Addressed to'];

/** Lists receipts, and downloads them as a CSV file. */
export function ReceiptsPart() {
  const { more, ...receipts } = useReceipts();
  const saveCsv = ({ items }: Receipts): void =>
    saveFile(new Blob([toReceiptsCsv(items)], { type: 'text/csv' }), 'receipts.csv');
  return (
    <LoadedView loaded={receipts}>
      {(shown) =>
        shown.items.length === 0 ? (
          <p className="empty">There are no receipts yet. One comes with each payment.</p>
        ) : (
          <>
            <Table columns={columns} hasActions>
              {shown.items.map((receipt) => (
                <ReceiptRow key={receipt.id} receipt={receipt} />
              ))}
            </Table>
            <ProblemMessage problem={more.problem} />
            <div className="more">
              {shown.hasMore && <ShowMore more={more} />}
              <Button variant="default" onClick={() => saveCsv(shown)}>
                Download CSV
              </Button>
            </div>
          </>
        )
      }
    </LoadedView>
  );
}
