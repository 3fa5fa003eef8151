import { csvLine } from '../../../core/text/csv.ts';
import type { Receipt } from '../../client/types.ts';

const columns: Record<string, (receipt: Receipt) => string | number> = {
  Number: ({ number }) => number,
  'Issued at': ({ issued_at: at }) => at,
  'What for': ({ description }) => description,
  'Amount (smallest unit)': ({ amount_cents: amount }) => amount,
  'Of it tax': ({ tax_cents: tax }) => tax,
  Currency: ({ currency }) => currency.toUpperCase(),
  State: ({ status }) => status,
  'Addressed to': ({ addressee }) => addressee.legal_name,
  Country: ({ addressee }) => addressee.country_code,
  'Tax id': ({ addressee }) => addressee.tax_id,
};

export function toReceiptsCsv(receipts: readonly Receipt[]): string {
  const lines = receipts.map((receipt) => csvLine(Object.values(columns).map((toCell) => toCell(receipt))));
  return csvLine(Object.keys(columns)) + lines.join('');
}
