import type { Transform } from 'node:stream';
import type { DataSource } from 'typeorm';

/** Seals texts for one place each; what was sealed for another does not open. */
export interface ContentKey {
  readonly id: string;
  /** @param place `table.column:row` */
  seal(text: string, place: string): string;
  /** @throws Error for what was sealed elsewhere, or was changed */
  open(sealed: string, place: string): string;
  /** Seals a file while it passes. */
  sealFile(place: string): Transform;
  /** The reverse; fails for a file that was changed, cut off or is another one's. */
  openFile(place: string): Transform;
}

/** Makes marks of words: the same for the same word, and nothing that can be read. */
export interface ContentMarker {
  readonly id: string;
  markOf(word: string): string;
}

/** The keys of workspaces that seal their content. */
export interface ContentKeys {
  /**
   * With which key content of the workspace is to be sealed now; null where it stays readable. It is what holds at this moment
   * or held a few seconds ago.
   * @throws AppError `key_unavailable`
   */
  current(orgId: string): Promise<ContentKey | null>;
  /** What words are marked with that are compared for years; null where they stay readable. @throws AppError `key_unavailable` */
  marker(orgId: string): Promise<ContentMarker | null>;
  /** Has the key ready, if that can be: whether it is, `opened` tells. Undefined where there is nothing to wait for. */
  prepare(orgId: string, keyId: string): Promise<void> | undefined;
  isOpen(orgId: string, keyId: string): boolean;
  /**
   * Whether a row of the workspace with readable content is genuine: not once all its content is sealed with its own key. A promise
   * where that has to be read.
   */
  mayBeReadable(orgId: string): true | Promise<boolean>;
  /** Logs and counts content that is refused although the keys of its workspace are there. */
  noteRefused(reason: Error): void;
  /** One that is open. @throws AppError `key_unavailable`; Error where the workspace has no such key */
  opened(orgId: string, keyId: string): ContentKey;
}

/** Of programs that have no business with content. */
const none: ContentKeys = {
  current: () => Promise.resolve(null),
  marker: () => Promise.resolve(null),
  prepare: () => undefined,
  isOpen: () => false,
  mayBeReadable: () => true,
  noteRefused: () => undefined,
  opened: () => {
    throw new Error('This program opens no sealed content.');
  },
};

const attached = new WeakMap<DataSource, ContentKeys>();

/** Has what is read and written by the data source opened and sealed by these keys. */
export function attachContentKeys(dataSource: DataSource, keys: ContentKeys): void {
  attached.set(dataSource, keys);
}

export function contentKeysOf(dataSource: DataSource): ContentKeys {
  return attached.get(dataSource) ?? none;
}
