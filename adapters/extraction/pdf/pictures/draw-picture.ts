import type { PagePicture } from '../../../recognition/text-recognizer.ts';
import type { GrayPicture } from './decode-picture.ts';
import type { PdfMatrix } from '../pdf-matrix.ts';

/**
 * Maximum number of a picture's pixels in each direction that are averaged to one pixel of the drawn page, if
 * the picture is more detailed.
 */
const MAX_SAMPLES = 4;

/**
 * Draws a picture onto a page.
 * @param matrix transformation of the picture's unit square to pixels of the page
 */
export function drawPicture(page: PagePicture, picture: GrayPicture, matrix: PdfMatrix): void {
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  if (determinant === 0) return;
  const [left, right] = findRange([e, e + a, e + c, e + a + c], page.width);
  const [top, bottom] = findRange([f, f + b, f + d, f + b + d], page.height);
  const samples = Math.min(
    MAX_SAMPLES,
    Math.max(1, Math.round(Math.sqrt((picture.width * picture.height) / Math.abs(determinant)))),
  );
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = y * page.width + x;
      let [gray, opacity] = [0, 0];
      for (let sample = 0; sample < samples * samples; sample++) {
        const dx = x + ((sample % samples) + 0.5) / samples - e;
        const dy = y + (Math.floor(sample / samples) + 0.5) / samples - f;
        const column = Math.floor(((d * dx - c * dy) / determinant) * picture.width);
        // The first row of the picture is its upper row, which is at 1 in PDF coordinates.
        const row = Math.floor((1 - (a * dy - b * dx) / determinant) * picture.height);
        if (column < 0 || column >= picture.width || row < 0 || row >= picture.height) continue;
        const source = row * picture.width + column;
        const share = picture.opacity === null ? 255 : picture.opacity[source]!;
        gray += picture.pixels[source]! * share;
        opacity += share;
      }
      if (opacity === 0) continue;
      const full = samples * samples * 255;
      page.pixels[at] = Math.round((gray + page.pixels[at]! * (full - opacity)) / full);
    }
  }
}

/** Returns the range of a page's pixels that covers these positions. */
function findRange(positions: readonly number[], size: number): [number, number] {
  return [Math.max(0, Math.floor(Math.min(...positions))), Math.min(size, Math.ceil(Math.max(...positions)))];
}
