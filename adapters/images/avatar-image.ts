import type { Metadata } from 'sharp';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { imageEnd } from './image-end.ts';
import { imageMimeTypes, imageTypeOf } from './image-type.ts';

export interface AvatarImage {
  content: Buffer;
  mimeType: string;
}

/** Of what is uploaded, in both directions; it bounds the memory that decoding takes. */
const MAX_PIXELS = 4096;
/** Of what is served: twice what the widget shows at its largest. */
const SHOWN_PIXELS = 512;
const TIMEOUT_SECONDS = 10;

/**
 * The image drawn anew, upright, at most 512 pixels in both directions, with nothing else that the file held; of an
 * animation the first picture.
 * @throws AppError `unsupported_media_type` unless it is a PNG, WebP or JPEG by its content; `validation_error` for
 * one that is empty, cut off, damaged, too large, or followed by something else
 */
export async function drawAvatar(file: Buffer): Promise<AvatarImage> {
  if (file.length === 0) throw invalidField('file', 'is empty');
  const type = imageTypeOf(file);
  if (type === null) {
    throw new AppError(
      'unsupported_media_type',
      'By its content the file is no PNG, WebP or JPEG image. Other formats, such as SVG and GIF, are not accepted.',
    );
  }
  const end = imageEnd(file, type);
  if (end === null) throw invalidField('file', 'is not complete: the image breaks off');
  if (end < file.length) throw invalidField('file', 'holds something else behind the image; save it anew');
  // Only whoever draws spends the time and memory that the library takes.
  const { default: sharp } = await import('sharp');
  try {
    requireSize(await sharp(file, { limitInputPixels: false }).metadata());
    const content = await sharp(file)
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize(SHOWN_PIXELS, SHOWN_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .toFormat(type)
      .toBuffer();
    return { content, mimeType: imageMimeTypes[type] };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidField('file', 'is damaged: the image cannot be read', 'body', error);
  }
}

/** @param file from `drawAvatar` */
export async function imageSize(file: Buffer): Promise<Pick<Metadata, 'width' | 'height'>> {
  const { default: sharp } = await import('sharp');
  return sharp(file).metadata();
}

function requireSize({ width, height }: Metadata): void {
  if (width <= MAX_PIXELS && height <= MAX_PIXELS) return;
  throw invalidField(
    'file',
    `has ${width} × ${height} pixels; an avatar may have at most ${MAX_PIXELS} × ${MAX_PIXELS}`,
  );
}
