import type { PdfDocument } from './open-pdf.ts';

export interface PdfOperator {
  operator: number;
  args: readonly unknown[];
}

interface OperatorChunk {
  fnArray: number[];
  argsArray: (readonly unknown[] | null)[];
}

/**
 * Channel between the two halves of pdf.js (worker and main thread). Its public methods collect all operators
 * of a page in memory.
 */
interface PdfTransport {
  messageHandler: {
    sendWithStream(name: string, request: object): ReadableStream<OperatorChunk>;
  };
}

/**
 * Flags of pdf.js for reading drawing operators: draw for a screen; without annotations; do not combine
 * operators.
 */
const FOR_SCREEN = 2;
const WITHOUT_ANNOTATIONS = 64;
const UNCOMBINED = 256;

// Add the method `transferToFixedLength`, which pdf.js calls to transfer fonts. Node.js has had it since
// version 21.
const buffers = ArrayBuffer.prototype as unknown as {
  transferToFixedLength?: (this: ArrayBuffer, length: number) => ArrayBuffer;
};
buffers.transferToFixedLength ??= function transferToFixedLength(length) {
  return this.slice(0, length);
};

/**
 * Streams of drawing operators that were not read to their end, by PDF document. pdf.js pauses such streams,
 * and cannot close the document before they end.
 */
const paused = new WeakMap<PdfDocument, ReadableStreamDefaultReader<OperatorChunk>[]>();

/** Closes a PDF document, even if some of its pages were read only in part. */
export async function closePdf(pdf: PdfDocument): Promise<void> {
  const reason = new Error('The document is closed.');
  for (const reader of paused.get(pdf) ?? []) void reader.cancel(reason).catch(() => {});
  await pdf.destroy();
}

/**
 * Reads the drawing operators of a PDF page in small parts, since those of a large map would take hundreds of
 * megabytes. Ends after `max` operators; pdf.js then pauses until `closePdf`.
 */
export async function* streamOperators(
  pdf: PdfDocument,
  pageIndex: number,
  { withAnnotations, max }: { withAnnotations: boolean; max: number },
): AsyncGenerator<PdfOperator, void> {
  const { messageHandler } = (pdf as unknown as { _transport: PdfTransport })._transport;
  const intent = FOR_SCREEN | UNCOMBINED | (withAnnotations ? 0 : WITHOUT_ANNOTATIONS);
  const reader = messageHandler
    .sendWithStream('GetOperatorList', {
      pageId: pageIndex,
      pageIndex,
      intent,
      cacheKey: `${intent}_text`,
      annotationStorage: null,
      modifiedIds: null,
    })
    .getReader();
  for (let count = 0; count < max;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const [index, operator] of value.fnArray.entries()) {
      yield { operator, args: value.argsArray[index] ?? [] };
    }
    count += value.fnArray.length;
  }
  paused.set(pdf, [...(paused.get(pdf) ?? []), reader]);
}
