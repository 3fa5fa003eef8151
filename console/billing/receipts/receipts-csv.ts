import { formatCsvLine } from '../../../core/text/csv.ts';
import type { Receipt } from '../../client/types.ts';

const columns: Record<string, (receipt: Receipt) => string | number> = {
  Number: ({ number }) => number,
  'Issued at': ({ issued_at: at }) => at,
  Description: ({ description }) => description,
  'Amount (smallest unit)': ({ amount_cents: amount }) => amount,
  'Tax (smallest unit)': ({ tax_cents: tax }) => tax,
  Currency: ({ currency }) => currency.toUpperCase(),
  Status: ({ status }) => status,
  'Billed to': ({ addressee }) => addressee.legal_name,
  Country: ({ addressee }) => addressee.country_code,
  'Tax ID': ({ addressee }) => addressee.tax_id,
};

export function toReceiptsCsv(receipts: readonly Receipt[]): string {
  const lines = receipts.map((receipt) =>
    formatCsvLine(Object.values(columns).map((toCell) => toCell(receipt))),
  );
  return formatCsvLine(Object.keys(columns)) + lines.join('');
}
