/** Text on a PDF page and its position, as pdf.js returns them. */
export interface PdfTextItem {
  str: string;
  /** Writing direction of the text in pdf.js. Vertical text has its length as height. */
  dir?: string;
  /**
   * Affine matrix of the text's position. Its last two numbers are x and y, from the lower left corner of the
   * page.
   */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
  /**
   * Properties of a text that comes from an annotation, whose position is not in the order of the page's
   * text.
   */
  annotation?: AnnotationText;
}

interface AnnotationText {
  /** True for the mark of a check box, which precedes its label. Other texts follow their labels. */
  isMark: boolean;
  /** Name of the form field, for a field without text next to it. */
  label: string | null;
  isFirstLine: boolean;
  /** True if the text belongs to no line of the page. */
  isSeparate: boolean;
}

/** Functions that return the position and letter height of a text item on a PDF page. */
export const getX = ({ transform }: PdfTextItem) => transform[4] ?? 0;
export const getY = ({ transform }: PdfTextItem) => transform[5] ?? 0;
export const measureLetterSize = ({ transform, height }: PdfTextItem) =>
  height || Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
