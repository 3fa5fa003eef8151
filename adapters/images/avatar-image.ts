import type { Metadata } from 'sharp';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { findImageEnd } from './image-end.ts';
import { decodeInTurn, importSharp, type ImageSender } from './image-turns.ts';
import { imageMimeTypes, detectImageType, type ImageType } from './image-type.ts';

export interface AvatarImage {
  content: Buffer;
  mimeType: string;
}

/** Maximum width and height of an uploaded avatar in pixels, which limits the memory for decoding. */
const MAX_PIXELS = 4096;
/** Maximum width and height of a stored avatar in pixels: twice its maximum display size in the widget. */
const MAX_SERVED_PIXELS = 512;
const TIMEOUT_SECONDS = 10;

/**
 * Re-encodes an uploaded avatar image: rotated upright, at most 512 pixels wide and high, without metadata,
 * only the first frame of an animation.
 * @throws AppError `unsupported_media_type` if the content is not PNG, WebP or JPEG; `validation_error` if it
 * is empty, truncated, damaged, too large, or followed by other data; the errors of `decodeInTurn`
 */
export async function reencodeAvatar(file: Buffer, sender: ImageSender): Promise<AvatarImage> {
  if (file.length === 0) throw invalidField('file', 'is empty');
  const type = detectImageType(file);
  if (type === null) {
    throw new AppError(
      'unsupported_media_type',
      'The content of the file is not a PNG, WebP or JPEG image. Other formats, such as SVG and GIF, are not accepted.',
    );
  }
  const end = findImageEnd(file, type);
  if (end === null) throw invalidField('file', 'is not complete: the image is cut off');
  if (end < file.length) throw invalidField('file', 'has other data after the image; save it again');
  return decodeInTurn(sender, () => reencode(file, type));
}

async function reencode(file: Buffer, type: ImageType): Promise<AvatarImage> {
  const sharp = await importSharp();
  try {
    requireSize(await sharp(file, { limitInputPixels: false }).metadata());
    const content = await sharp(file)
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize(MAX_SERVED_PIXELS, MAX_SERVED_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .toFormat(type)
      .toBuffer();
    return { content, mimeType: imageMimeTypes[type] };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalidField('file', 'is damaged: the image cannot be read', 'body', error);
  }
}

/**
 * Returns width and height of an avatar in pixels.
 * @param file image from `reencodeAvatar`
 */
export async function measureImage(file: Buffer): Promise<Pick<Metadata, 'width' | 'height'>> {
  const sharp = await importSharp();
  return sharp(file).metadata();
}

function requireSize({ width, height }: Metadata): void {
  if (width <= MAX_PIXELS && height <= MAX_PIXELS) return;
  throw invalidField('file', `has ${width} × ${height} pixels; the maximum is ${MAX_PIXELS} × ${MAX_PIXELS}`);
}
