export type DocumentType =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'epub'
  | 'html'
  | 'markdown'
  | 'text'
  | 'csv';

interface DocumentFormat {
  /** Name of the document format in error messages, after “The”. */
  name: string;
  /** Name of the format in the list of accepted document formats. */
  label: string;
  /** Name of the document format with its article, such as “a PDF”, for error messages. */
  description: string;
  mimeType: string;
  /**
   * File extensions of the document format. The first extension completes the name of a download that has
   * none.
   */
  extensions: readonly string[];
  otherMimeTypes?: readonly string[];
}

const office = 'application/vnd.openxmlformats-officedocument';

/** All supported document formats, in the order in which messages list them. */
export const documentFormats: Record<DocumentType, DocumentFormat> = {
  pdf: {
    name: 'PDF',
    label: 'PDF',
    description: 'a PDF',
    mimeType: 'application/pdf',
    extensions: ['.pdf'],
  },
  docx: {
    name: 'Word document',
    label: 'DOCX',
    description: 'a Word document (DOCX)',
    mimeType: `${office}.wordprocessingml.document`,
    extensions: ['.docx'],
  },
  xlsx: {
    name: 'Excel workbook',
    label: 'XLSX',
    description: 'an Excel workbook (XLSX)',
    mimeType: `${office}.spreadsheetml.sheet`,
    extensions: ['.xlsx', '.xlsm', '.xltx'],
  },
  pptx: {
    name: 'PowerPoint presentation',
    label: 'PPTX',
    description: 'a PowerPoint presentation (PPTX)',
    mimeType: `${office}.presentationml.presentation`,
    extensions: ['.pptx', '.pptm', '.ppsx', '.potx'],
  },
  odt: {
    name: 'OpenDocument text',
    label: 'ODT',
    description: 'an OpenDocument text (ODT)',
    mimeType: 'application/vnd.oasis.opendocument.text',
    extensions: ['.odt', '.ott'],
  },
  epub: {
    name: 'EPUB book',
    label: 'EPUB',
    description: 'an EPUB book',
    mimeType: 'application/epub+zip',
    extensions: ['.epub'],
  },
  html: {
    name: 'HTML page',
    label: 'HTML',
    description: 'an HTML page',
    mimeType: 'text/html',
    extensions: ['.html', '.htm', '.xhtml'],
    otherMimeTypes: ['application/xhtml+xml'],
  },
  markdown: {
    name: 'Markdown file',
    label: 'Markdown',
    description: 'Markdown',
    mimeType: 'text/markdown',
    extensions: ['.md', '.markdown', '.mdown', '.mkd'],
    otherMimeTypes: ['text/x-markdown'],
  },
  text: {
    name: 'text file',
    label: 'plain text',
    description: 'plain text',
    mimeType: 'text/plain',
    extensions: ['.txt', '.text', '.log'],
  },
  csv: {
    name: 'CSV file',
    label: 'CSV',
    description: 'CSV',
    mimeType: 'text/csv',
    extensions: ['.csv', '.tsv'],
    otherMimeTypes: ['application/csv', 'text/tab-separated-values'],
  },
};

const formats = Object.entries(documentFormats) as [DocumentType, DocumentFormat][];
const labels = formats.map(([, { label }]) => label);

/** List of all document formats for messages: `PDF, DOCX, … and CSV`. */
export const acceptedFormats = `${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}`;

export const acceptedMimeTypes = formats.map(([, { mimeType }]) => mimeType);

export const typesByExtension = new Map<string, DocumentType>(
  formats.flatMap(([type, { extensions }]) => extensions.map((extension) => [extension, type] as const)),
);

export const typesByMimeType = new Map<string, DocumentType>(
  formats.flatMap(([type, { mimeType, otherMimeTypes = [] }]) =>
    [mimeType, ...otherMimeTypes].map((mime) => [mime, type] as const),
  ),
);
