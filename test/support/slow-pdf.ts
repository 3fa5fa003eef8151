import { deflateSync } from 'node:zlib';

const DEPTH = 9;
const FAN_OUT = 10;
const EMPTY_STEPS = 20_000;

/**
 * Builds a PDF of about two kilobytes that takes longer to read than any timeout, with little memory. Its
 * forms draw nested forms. The innermost form draws one word and does many steps that draw nothing.
 * @param paddingBytes bytes that make it larger but not slower
 */
export function buildSlowPdf(paddingBytes = 0): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources ${buildResources(6)} /Contents 4 0 R >>`,
    buildStream('', '/X Do'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: DEPTH }, (_, level) => buildForm(level + 7, '/X Do '.repeat(FAN_OUT))),
    buildForm(6, `BT /F 12 Tf (slow) Tj ET ${'q Q '.repeat(EMPTY_STEPS)}`),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  const padding = `%${' '.repeat(paddingBytes)}\n`;
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.from(`%PDF-1.4\n${body}${padding}${trailer}`, 'latin1');
}

const buildResources = (object: number) => `<< /Font << /F 5 0 R >> /XObject << /X ${object} 0 R >> >>`;

function buildForm(drawn: number, content: string): string {
  const entries = `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources ${buildResources(drawn)}`;
  return buildStream(entries, content);
}

function buildStream(entries: string, content: string): string {
  const packed = deflateSync(content).toString('latin1');
  return `<< ${entries} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`;
}
