const mebibyte = 1024 * 1024;

/** Limits of one document. Larger documents are refused with a reason. */
export const extractionLimits = {
  textCharacters: 26 * mebibyte,
  sections: 100_000,
  htmlCharacters: 10 * mebibyte,
  pdfPages: 5000,
  csvRows: 200_000,
  csvColumns: 1000,
  zipEntries: 5000,
  zipTotalBytes: 256 * mebibyte,
  /** Unpacked size of a DOCX's text parts, which are all in memory at once. */
  zipXmlBytes: 48 * mebibyte,
  /** Unpacked size of one streamed part of an archive. */
  zipPartBytes: 96 * mebibyte,
  /** Maximum that Excel supports. */
  sheetColumns: 16_384,
  /** Number of a sheet's merged cells that are read, and the bytes in which they are listed. */
  merges: 10_000,
  mergeBytes: 4 * mebibyte,
  /** Ratio of unpacked to packed size of one entry; text documents stay far below. */
  zipRatio: 200,
} as const;
