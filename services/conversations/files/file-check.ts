import { extname } from 'node:path';
import { detectType } from '../../../adapters/extraction/detect-type.ts';
import { hasMacros } from '../../../adapters/extraction/zip-type.ts';
import { documentFormats } from '../../../adapters/extraction/document-types.ts';
import { detectConversationImage, reencodeImage } from '../../../adapters/images/conversation-image.ts';
import type { ImageSender } from '../../../adapters/images/image-turns.ts';
import { toSafeFilename } from '../../../adapters/storage/filename.ts';
import type { AcceptedFiles } from '../../../core/conversations/accepted-files.ts';
import { AppError, invalidField } from '../../../core/errors/errors.ts';

/** An uploaded file as its sender declares it. Its content decides its type. */
export interface ReceivedFile {
  filename: string;
  declaredType: string;
  content: Buffer;
}

/** An uploaded file that was checked and can be stored. */
export interface CheckedFile {
  name: string;
  mimeType: string;
  content: Buffer;
  width: number | null;
  height: number | null;
}

/** Extensions of Office files with macros, which run when a person opens the file. */
const MACRO_EXTENSIONS = new Set(['.docm', '.dotm', '.xlsm', '.xltm', '.xlsb', '.pptm', '.potm', '.ppsm']);

/**
 * Checks an uploaded file by its content. Re-encodes images, so that nothing but the picture is stored.
 * @throws AppError `unsupported_media_type` for a type that the bot does not accept; `validation_error` for an
 *   empty or damaged file; the errors of `reencodeImage`
 */
export async function checkFile(
  file: ReceivedFile,
  accepted: AcceptedFiles,
  sender: ImageSender,
): Promise<CheckedFile> {
  const { content, declaredType } = file;
  const filename = toSafeFilename(file.filename);
  if (content.length === 0) throw invalidField('file', 'is empty');
  const image = detectConversationImage(content);
  if (image !== null) {
    if (!accepted.images) throw refuseType('images');
    const { extensions, ...encoded } = await reencodeImage(content, image, sender);
    return { name: withExtension(filename, extensions), ...encoded };
  }
  if (!accepted.documents) throw refuseType('documents');
  const type = detectType(content, { filename, mimeType: declaredType });
  const mayHaveMacros = type === 'docx' || type === 'xlsx' || type === 'pptx';
  if (MACRO_EXTENSIONS.has(extname(filename).toLowerCase()) || (mayHaveMacros && hasMacros(content)))
    throw new AppError('unsupported_media_type', 'Office files with macros are not accepted.');
  if (type === 'html') throw new AppError('unsupported_media_type', 'HTML pages are not accepted.');
  const { mimeType, extensions } = documentFormats[type];
  return { name: withExtension(filename, extensions), mimeType, content, width: null, height: null };
}

/**
 * Adds an extension that fits the content to a file's name, so that no program opens the file as another
 * type.
 */
function withExtension(name: string, extensions: readonly string[]): string {
  if (extensions.includes(extname(name).toLowerCase())) return name;
  return toSafeFilename(`${name}${extensions[0]}`);
}

function refuseType(kind: 'images' | 'documents'): AppError {
  return new AppError('unsupported_media_type', `The bot does not accept ${kind}.`);
}
