import type { Invoice } from './payment-objects.ts';

/** Renders an invoice as a PDF of one page. */
export function renderInvoicePdf(invoice: Invoice): Buffer {
  const lines = [
    `Invoice ${invoice.number}`,
    `Issued ${new Date(invoice.created * 1000).toISOString().slice(0, 10)}`,
    `To ${invoice.customer_name ?? invoice.customer_email ?? invoice.customer}`,
    ...invoice.lines.data.map(
      ({ description, amount }) => `${description}: ${amount / 100} ${invoice.currency}`,
    ),
    `Total ${invoice.total / 100} ${invoice.currency}`,
  ];
  const text = lines.map((line) => `(${escapePdfText(line)}) Tj T*`).join('\n');
  const content = `BT /F 12 Tf 16 TL 72 720 Td\n${text}\nET`;
  return assembleInvoicePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

function assembleInvoicePdf(objects: string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const places = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places}`;
  const end = `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + end, 'latin1');
}

function escapePdfText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
}
