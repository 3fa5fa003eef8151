/** Gray picture of a page: one byte for each pixel, row by row, from 0 (black) to 255 (white). */
export interface PagePicture {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** A line of recognized text. Positions are shares of the picture's width and height, from 0 to 1. */
export interface RecognizedLine {
  text: string;
  /** Position of the recognized line's right end. */
  right: number;
  /** Position of the right edge of the line's column. */
  columnRight: number;
  /** Height of the line above the bottom of the picture. */
  relativeHeight: number;
  startsParagraph: boolean;
}

export interface RecognitionOptions {
  /** Language tags of the text to recognize, the most probable first. */
  languages: readonly string[];
  /** Maximum duration of the text recognition in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** Recognizes text in pictures (OCR). */
export interface TextRecognizer {
  /**
   * Recognizes the text of a page, and returns its lines in reading order.
   * @throws RecognitionFailure; the signal's reason
   */
  recognize(picture: PagePicture, options: RecognitionOptions): Promise<RecognizedLine[]>;
  /**
   * Returns the names of the languages that the recognizer reads.
   * @throws RecognitionFailure
   */
  listLanguages(): Promise<string[]>;
}

/** Thrown if text cannot be recognized. The message completes “because …” for the document's owner. */
export class RecognitionFailure extends Error {
  constructor(
    message: string,
    /** True if the recognition of other pages would fail as well. */
    readonly isFinal: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'RecognitionFailure';
  }
}
