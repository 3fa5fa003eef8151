import { posix } from 'node:path';
import { cleanText } from '../../clean-text.ts';
import { decodeText } from '../../encoding/decode-text.ts';
import type { Section } from '../../extracted-document.ts';
import { convertHtmlToMarkdown } from '../../html/html-markdown.ts';
import { decodePage } from '../../html/read-html.ts';
import { splitMarkdown } from '../../markdown-sections.ts';
import { UnreadableDocument } from '../../unreadable-document.ts';

/** Maximum number of parts of an MHTML file (a saved web page) that are searched for its HTML page. */
const MAX_MIME_PARTS = 1000;

/**
 * Reads a part of a Word document that Word converts when it opens the document: HTML, MHTML or plain text.
 * Programs that convert web pages to Word documents write the whole text into such a part.
 * @throws UnreadableDocument
 */
export function readImportedText(bytes: Buffer, part: string): Section[] {
  const extension = posix.extname(part).toLowerCase();
  if (extension === '.txt') return [{ headings: [], text: cleanText(decodeText(bytes).text).trim() }];
  const isMhtml = extension.startsWith('.mht') || /^\s*MIME-Version:/i.test(bytes.toString('latin1', 0, 200));
  const page = isMhtml ? findPage(bytes) : { content: bytes, type: null };
  if (!isMhtml && !/^\.x?html?$/.test(extension))
    throw new UnreadableDocument(
      'unsupported',
      'The Word document includes text in an unknown format. Save the document again in Word, or as a PDF.',
    );
  return splitMarkdown(convertHtmlToMarkdown(decodePage(page.content, { mimeType: page.type }).text));
}

/** Returns the first HTML page of an MHTML file (RFC 2557). */
function findPage(bytes: Buffer): { content: Buffer; type: string } {
  const text = bytes.toString('latin1');
  const boundary = /^content-type:[^]{0,500}?boundary="?([^"\r\n;]{1,100})/im.exec(text.slice(0, 5000))?.[1];
  const parts = boundary === undefined ? [text] : text.split(`--${boundary}`, MAX_MIME_PARTS);
  for (const part of parts) {
    const [head = '', ...lines] = part.split(/\r?\n\r?\n/);
    const type = /^content-type:\s*((?:text\/html|application\/xhtml)[^\r\n]{0,200})/im.exec(head)?.[1];
    if (type === undefined) continue;
    const body = lines.join('\n\n');
    const encoding = /^content-transfer-encoding:\s*([\w-]+)/im.exec(head)?.[1]?.toLowerCase();
    return { content: decodeBody(body, encoding), type };
  }
  throw new UnreadableDocument(
    'no_text',
    'The Word document includes a web archive that contains no web page. Save the document again in Word, or as a PDF.',
  );
}

function decodeBody(body: string, encoding: string | undefined): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const decoded = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\da-f]{2})/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
