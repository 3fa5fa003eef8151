import { getResolvedPDFJS } from 'unpdf';
import type { PagePicture } from '../../../recognition/text-recognizer.ts';
import { mixGray, toGray, toStencil, type DecodedImage, type GrayPicture } from './decode-picture.ts';
import { drawPicture } from './draw-picture.ts';
import { applyOperator } from '../graphics-states.ts';
import type { PdfPage } from '../open-pdf.ts';
import { measureArea, multiply, type PdfMatrix } from '../pdf-matrix.ts';

interface PlacedPicture {
  picture: GrayPicture;
  matrix: PdfMatrix;
}

interface GraphicsState {
  matrix: PdfMatrix;
  /** Brightness of the current fill color on the page, from 0 to 255. */
  fill: number;
}

/**
 * Maximum number of pixels of a drawn page. An A4 page has 8.7 million at 300 dpi; more pixels do not help
 * text recognition.
 */
const MAX_PIXELS = 12_000_000;
/**
 * Maximum width and height of a drawn page in pixels; the recognition program tesseract refuses more. Also
 * limits very narrow pages, which have few pixels.
 */
const MAX_SIDE = 32_767;
/** Mode in which pdf.js draws a page without annotations. */
const WITHOUT_ANNOTATIONS = 0;

/**
 * Draws the pictures of a PDF page for text recognition, at the resolution of the most detailed picture.
 * Omits text and lines. Returns null if no picture can be decoded.
 */
export async function drawPage(page: PdfPage): Promise<PagePicture | null> {
  const pictures = await listPictures(page);
  if (pictures.length === 0) return null;
  const { width, height } = page.getViewport({ scale: 1 });
  const finest = Math.max(...pictures.map(measureResolution));
  const scale = Math.min(
    finest,
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
  const viewport = page.getViewport({ scale });
  const size = { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) };
  const drawn = { ...size, pixels: new Uint8Array(size.width * size.height).fill(255) };
  const base = viewport.transform as unknown as PdfMatrix;
  for (const { picture, matrix } of pictures) drawPicture(drawn, picture, multiply(base, matrix));
  return drawn;
}

/** Returns the resolution of a picture on a PDF page: pixels per unit of length on the page. */
function measureResolution({ picture, matrix }: PlacedPicture): number {
  return Math.sqrt((picture.width * picture.height) / measureArea(matrix));
}

async function listPictures(page: PdfPage): Promise<PlacedPicture[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray: operators, argsArray } = await page.getOperatorList({
    annotationMode: WITHOUT_ANNOTATIONS,
  });
  const pictures: PlacedPicture[] = [];
  const stack: GraphicsState[] = [];
  let state: GraphicsState = { matrix: [1, 0, 0, 1, 0, 0], fill: 0 };
  for (const [index, operator] of operators.entries()) {
    const args = (argsArray[index] ?? []) as unknown[];
    state = applyOperator(OPS, stack, state, operator, args);
    if (operator === OPS.setFillRGBColor) state = { ...state, fill: parseGray(args) };
    else if (
      operator === OPS.paintImageXObject ||
      operator === OPS.paintInlineImageXObject ||
      operator === OPS.paintImageMaskXObject
    ) {
      const image = await loadImage(page, args[0]);
      const isStencil = operator === OPS.paintImageMaskXObject;
      const picture = image && (isStencil ? toStencil(image, state.fill) : toGray(image));
      if (picture && measureArea(state.matrix) > 0) pictures.push({ picture, matrix: state.matrix });
    }
  }
  return pictures;
}

/**
 * Returns the image that a drawing operator contains, or to which it refers by name; null if the image cannot
 * be decoded.
 */
async function loadImage(page: PdfPage, reference: unknown): Promise<DecodedImage | null> {
  const name = typeof reference === 'string' ? reference : (reference as { data?: unknown } | null)?.data;
  const image =
    typeof name === 'string'
      ? await new Promise<unknown>((resolve) => {
          // pdf.js keeps images that several pages share (`g_…`) in `commonObjs`.
          (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve);
        })
      : reference;
  return isDecoded(image) ? image : null;
}

function isDecoded(image: unknown): image is DecodedImage {
  const { width, height, data } = (image ?? {}) as Partial<DecodedImage>;
  return Number(width) > 0 && Number(height) > 0 && ArrayBuffer.isView(data);
}

/** Returns the brightness of a PDF color: `#rrggbb`, or three numbers up to 255. */
function parseGray(args: readonly unknown[]): number {
  const [first] = args;
  const parts =
    typeof first === 'string' ? first.match(/[\da-f]{2}/gi)?.map((hex) => Number.parseInt(hex, 16)) : args;
  const [red = 0, green = 0, blue = 0] = (parts ?? []).map(Number);
  return mixGray(red, green, blue);
}
