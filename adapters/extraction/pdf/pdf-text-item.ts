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
  /** Set for the text of an annotation, whose position is not in the order of the page's text. */
  annotation?: AnnotationText;
}

interface AnnotationText {
  /** Mark of a check box, which precedes its text. Other texts follow their labels. */
  isMark: boolean;
  /** Name of the field, for a field without text next to it. */
  label: string | null;
  isFirstLine: boolean;
  /** True for a text that belongs to no line of the page. */
  isSeparate: boolean;
}

/** Position and letter height of a text item. */
export const getX = ({ transform }: PdfTextItem) => transform[4] ?? 0;
export const getY = ({ transform }: PdfTextItem) => transform[5] ?? 0;
export const measureLetterSize = ({ transform, height }: PdfTextItem) =>
  height || Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
