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
  /** Unpacked size of the parts of a DOCX that are text, all of which are in memory at once. */
  zipXmlBytes: 48 * mebibyte,
  /** Unpacked size of one part of an archive that is read as it comes. */
  zipPartBytes: 96 * mebibyte,
  /** What a program could count to, but no sheet has. */
  sheetColumns: 16_384,
  /** Merged cells of a sheet that are looked at, and the bytes in which they are listed. */
  merges: 10_000,
  mergeBytes: 4 * mebibyte,
  /** Unpacked to packed size of one entry; text documents stay far below. */
  zipRatio: 200,
} as const;
