import { formatSize } from '../../../../core/text/size-text.ts';
import type { ConversationFile } from '../../../client/types.ts';
import { IconPaperclip } from '../../../shell/icons.ts';

/** Maximum width and height in pixels of an image's thumbnail in a message. */
const MAX_THUMBNAIL_PX = 240;

/** Shows the files of a message: images as thumbnails, documents by name and size. */
export function MessageFiles({ files }: { files: readonly ConversationFile[] }) {
  return (
    <ul className="message-files">
      {files.map((file) => (
        <li key={file.id}>
          <a href={file.url} target="_blank" rel="noopener noreferrer">
            <FileContent {...file} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function FileContent({ url, name, width, height, size_bytes: sizeBytes }: ConversationFile) {
  if (width === null || height === null)
    return (
      <>
        <IconPaperclip size={16} />
        <bdi>{name}</bdi> <small>{formatSize(sizeBytes)}</small>
      </>
    );
  const scale = Math.min(1, MAX_THUMBNAIL_PX / Math.max(width, height));
  return (
    <img
      src={url}
      alt={name}
      loading="lazy"
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
    />
  );
}
