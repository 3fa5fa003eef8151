const mebibyte = 1024 * 1024;

/** Bounds of what one document may cost; everything above is refused with a reason. */
export const extractionLimits = {
  textCharacters: 26 * mebibyte,
  sections: 100_000,
  htmlCharacters: 10 * mebibyte,
  pdfPages: 5000,
  csvRows: 200_000,
  csvColumns: 1000,
  zipEntries: 5000,
  zipTotalBytes: 256 * mebibyte,
  /** Unpacked size of the parts of a DOCX that are text. */
  zipXmlBytes: 48 * mebibyte,
  /** Unpacked to packed size of one entry; text documents stay far below. */
  zipRatio: 200,
} as const;
