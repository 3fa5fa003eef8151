/** Image in a PDF, as pdf.js decodes it. */
export interface DecodedImage {
  width: number;
  height: number;
  /**
   * Kind of the image's pixels in pdf.js: 1 bit for each pixel, 3 bytes, or 4 bytes with opacity. Undefined
   * for a stencil.
   */
  kind?: number;
  data: Uint8Array;
}

/** Gray picture for text recognition, with one byte for each pixel. */
export interface GrayPicture {
  width: number;
  height: number;
  pixels: Uint8Array;
  /** Opacity of each pixel of the picture, from 0 to 255; null if the whole picture is opaque. */
  opacity: Uint8Array | null;
}

const ONE_BIT = 1;
const RGB = 2;
const RGBA = 3;

/** Converts an image of a PDF to gray. Returns null if its data are incomplete or of an unknown kind. */
export function toGray({ width, height, kind, data }: DecodedImage): GrayPicture | null {
  if (kind === ONE_BIT) {
    const pixels = expandBits(width, height, data);
    return pixels && { width, height, pixels, opacity: null };
  }
  const size = kind === RGB ? 3 : kind === RGBA ? 4 : undefined;
  if (size === undefined || data.length < width * height * size) return null;
  const pixels = new Uint8Array(width * height);
  for (let index = 0, at = 0; index < pixels.length; index++, at += size)
    pixels[index] = mixGray(data[at]!, data[at + 1]!, data[at + 2]!);
  if (kind === RGB) return { width, height, pixels, opacity: null };
  const opacity = new Uint8Array(width * height);
  for (let index = 0; index < opacity.length; index++) opacity[index] = data[index * 4 + 3]!;
  return { width, height, pixels, opacity };
}

/**
 * Converts a stencil of a PDF, through whose holes a color is painted, to a gray picture. Returns null if its
 * data are incomplete.
 * @param gray brightness of the painted color, from 0 to 255
 */
export function toStencil({ width, height, data }: DecodedImage, gray: number): GrayPicture | null {
  const opacity = expandBits(width, height, data);
  if (opacity === null) return null;
  for (let index = 0; index < opacity.length; index++) opacity[index] = 255 - opacity[index]!;
  return { width, height, pixels: new Uint8Array(width * height).fill(gray), opacity };
}

/** Returns the brightness of a color, from 0 to 255. */
export function mixGray(red: number, green: number, blue: number): number {
  return (red * 77 + green * 150 + blue * 29) >> 8;
}

/**
 * Returns the brightness of each pixel, 0 or 255, for an image with one bit per pixel. Each row begins with a
 * new byte.
 */
function expandBits(width: number, height: number, data: Uint8Array): Uint8Array | null {
  const rowBytes = (width + 7) >> 3;
  if (data.length < rowBytes * height) return null;
  const pixels = new Uint8Array(width * height);
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      if ((data[y * rowBytes + (x >> 3)]! >> (7 - (x & 7))) & 1) pixels[index] = 255;
    }
  }
  return pixels;
}
