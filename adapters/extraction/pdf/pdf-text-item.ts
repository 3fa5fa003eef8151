/** Text and position of a pdf.js text item. */
export interface PdfTextItem {
  str: string;
  /** Writing direction of pdf.js. Vertical text has its length as height. */
  dir?: string;
  /** Affine matrix. Its last two numbers are x and y, from the lower left corner of the page. */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}
