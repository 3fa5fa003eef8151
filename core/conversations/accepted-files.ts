/** Kinds of files that visitors of a bot may send. */
export interface AcceptedFiles {
  images: boolean;
  documents: boolean;
}

/** Returns the kinds of files that a bot's theme permits; null if the bot accepts no files. */
export function readAcceptedFiles({ files }: Record<string, unknown>): AcceptedFiles | null {
  if (files !== 'all' && files !== 'images' && files !== 'documents') return null;
  return { images: files !== 'documents', documents: files !== 'images' };
}
