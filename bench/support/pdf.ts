import { buildProse } from './prose.ts';

const LINES_PER_PAGE = 45;
const LINE_CHARACTERS = 80;

/** Builds a PDF of full pages of text in Helvetica. */
export function buildTextPdf(pages: number): Buffer {
  const lines = buildProse(pages * LINES_PER_PAGE * LINE_CHARACTERS)
    .replaceAll(/\s+/g, ' ')
    .match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g'))!;
  const pageIds = Array.from({ length: pages }, (_, page) => 4 + page * 2);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pageIds.flatMap((id, page) =>
      buildPageObjects(id, lines.slice(page * LINES_PER_PAGE, (page + 1) * LINES_PER_PAGE)),
    ),
  ];
  return assemblePdf(objects);
}

function buildPageObjects(id: number, lines: string[]): string[] {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 11 Tf 14 TL 60 760 Td\n${shown}\nET`;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${id + 1} 0 R >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
}

function assemblePdf(objects: string[]): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
    'latin1',
  );
}
