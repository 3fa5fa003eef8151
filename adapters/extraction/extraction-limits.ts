const mebibyte = 1024 * 1024;

/** Limits of one document that Parley reads. A document that exceeds a limit is refused with a reason. */
export const extractionLimits = {
  textCharacters: 26 * mebibyte,
  sections: 100_000,
  htmlCharacters: 10 * mebibyte,
  pdfPages: 5000,
  /** Maximum unpacked size in bytes of a stream of a PDF, such as the content of a page. */
  pdfStreamBytes: 96 * mebibyte,
  /**
   * Maximum unpacked size in bytes of a PDF's stream if its pages are drawn for text recognition: an image of
   * 36 million pixels with four colors.
   */
  pdfPictureBytes: 144 * mebibyte,
  csvRows: 200_000,
  csvColumns: 1000,
  zipEntries: 5000,
  zipTotalBytes: 256 * mebibyte,
  /** Maximum unpacked size in bytes of a DOCX's text parts, which are all in memory at once. */
  zipXmlBytes: 48 * mebibyte,
  /** Maximum unpacked size in bytes of one part of a ZIP archive, which is read as a stream. */
  zipPartBytes: 96 * mebibyte,
  /** Maximum number of columns that an Excel sheet can have. */
  sheetColumns: 16_384,
  /**
   * Limits of an Excel sheet's lists of merged cells and of links: their number, and the lists' size in
   * bytes.
   */
  merges: 10_000,
  sheetLinks: 10_000,
  sheetTailBytes: 4 * mebibyte,
  /**
   * Maximum ratio of unpacked to packed size of an entry in a document's ZIP archive. Text documents stay far
   * below.
   */
  zipRatio: 200,
} as const;
