/** Affine matrix that transforms coordinates of a PDF page: a, b, c, d, e, f. */
export type PdfMatrix = readonly [number, number, number, number, number, number];

/** Returns the matrix that applies the transformation `inner` first, then `outer`. */
export function multiply(outer: PdfMatrix, inner: PdfMatrix): PdfMatrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
  ];
}

/** Returns the area onto which a matrix transforms the unit square, in which a picture is drawn. */
export function measureArea(matrix: PdfMatrix): number {
  return Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
}
