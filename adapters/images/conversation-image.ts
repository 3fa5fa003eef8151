import type { Metadata } from 'sharp';
import { invalidField } from '../../core/errors/errors.ts';
import { decodeInTurn, importSharp, type ImageSender } from './image-turns.ts';
import { detectImageType, imageMimeTypes, type ImageType } from './image-type.ts';

/** Formats of images that visitors and team members can send in conversations. */
export type ConversationImageType = ImageType | 'gif';

const mimeTypes = { ...imageMimeTypes, gif: 'image/gif' } as const;
export const conversationImageMimeTypes = Object.values(mimeTypes);

export interface ConversationImage {
  content: Buffer;
  mimeType: string;
  /** File extensions of the image's format, of which the first completes names without one. */
  extensions: readonly string[];
  width: number;
  height: number;
}

const extensions: Record<ConversationImageType, readonly string[]> = {
  png: ['.png'],
  jpeg: ['.jpg', '.jpeg'],
  webp: ['.webp'],
  gif: ['.gif'],
};

/** Maximum number of pixels of an uploaded image, which limits the memory for decoding to about 160 MB. */
const MAX_PIXELS = 40_000_000;
/**
 * Maximum number of pixels of all frames of an animated image together. Each frame is encoded again, which
 * takes about 2 s in all.
 */
const MAX_ANIMATED_PIXELS = 15_000_000;
/** Maximum width and height of a stored image in pixels. */
const MAX_STORED_PIXELS = 4096;
const TIMEOUT_SECONDS = 10;

/** Detects an image and its format by its first bytes; null for other files. */
export function detectConversationImage(head: Buffer): ConversationImageType | null {
  return /^GIF8[79]a/.test(head.toString('latin1', 0, 6)) ? 'gif' : detectImageType(head);
}

/**
 * Re-encodes an image of a conversation in a thread of the image library: upright, at most 4096 pixels wide
 * and high, without metadata and without data after the image. Animations stay animated. Takes up to 4 s and
 * 160 MB.
 * @throws AppError `validation_error` if the image is damaged or has too many pixels; the errors of
 * `decodeInTurn`
 */
export function reencodeImage(
  file: Buffer,
  type: ConversationImageType,
  sender: ImageSender,
): Promise<ConversationImage> {
  return decodeInTurn(sender, () => reencode(file, type));
}

async function reencode(file: Buffer, type: ConversationImageType): Promise<ConversationImage> {
  const sharp = await importSharp();
  const metadata = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw damagedImage(error);
    });
  requirePixels(metadata);
  const isAnimated = (metadata.pages ?? 1) > 1;
  const image = sharp(file, { animated: isAnimated }).timeout({ seconds: TIMEOUT_SECONDS });
  const upright = isAnimated ? image : image.autoOrient();
  try {
    const { data, info } = await upright
      .resize(MAX_STORED_PIXELS, MAX_STORED_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .toFormat(type)
      .toBuffer({ resolveWithObject: true });
    return {
      content: data,
      mimeType: mimeTypes[type],
      extensions: extensions[type],
      width: info.width,
      height: info.pageHeight ?? info.height,
    };
  } catch (error) {
    throw damagedImage(error);
  }
}

/** The height of an animated image is the height of one frame. */
function requirePixels({ width, height, pages = 1 }: Metadata): void {
  const pixels = width * height * pages;
  const maxPixels = pages > 1 ? MAX_ANIMATED_PIXELS : MAX_PIXELS;
  if (pixels <= maxPixels) return;
  const counted = pages > 1 ? `, counting all ${pages} frames of the animation` : '';
  throw invalidField('file', `has ${pixels} pixels; the maximum is ${maxPixels}${counted}`);
}

function damagedImage(cause: unknown): Error {
  return invalidField('file', 'is damaged: the image cannot be read', 'body', cause);
}
