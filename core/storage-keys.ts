import { deriveId } from './ids.ts';

export interface DocumentLocation {
  orgId: string;
  botId: string;
  documentId: string;
  /**
   * Id of the site to which a web page belongs; null for other documents. A page's files are stored below its
   * site, so that both are deleted together.
   */
  parentId: string | null;
}

export interface ConversationLocation {
  orgId: string;
  botId: string;
  conversationId: string;
}

export interface OwnedJob {
  orgId: string;
  id: string;
}

/** An export or import, with the data key of its files; null if its files are not encrypted. */
export interface SealedJob extends OwnedJob {
  keyId: string | null;
}

/** Returns the storage key of the original file of a document's revision. */
export function originalKey(place: DocumentLocation, revision: number): string {
  return `${documentPrefix(place)}${revision}/original`;
}

/**
 * Returns the storage key under which a file is stored after it was re-encrypted. The new key depends only on
 * the old key, so a retry overwrites the file that a crashed process left.
 */
export function replacementKey(storageKey: string): string {
  return `${storageKey.slice(0, storageKey.lastIndexOf('/'))}/original-${deriveId(storageKey)}`;
}

/** Returns the prefix of the storage keys of all originals of a document and its pages. */
export function documentPrefix({ orgId, botId, documentId, parentId }: DocumentLocation): string {
  return `${botPrefix({ orgId, botId })}${parentId === null ? '' : `${parentId}/`}${documentId}/`;
}

export function avatarKey(bot: Pick<DocumentLocation, 'orgId' | 'botId'>, avatarId: string): string {
  return `${botPrefix(bot)}avatars/${avatarId}`;
}

/** Returns the prefix of the storage keys of all files that visitors and agents sent in a conversation. */
export function conversationFilesPrefix({ orgId, botId, conversationId }: ConversationLocation): string {
  return `${botPrefix({ orgId, botId })}files/${conversationId}/`;
}

/** Returns the prefix of the storage keys of the copies of one file of a conversation. */
export function conversationFilePrefix(place: ConversationLocation, fileId: string): string {
  return `${conversationFilesPrefix(place)}${fileId}/`;
}

export function receiptKey(orgId: string, receiptId: string): string {
  return `${orgPrefix(orgId)}receipts/${receiptId}`;
}

/** Returns the prefix of the storage keys of all files of an export or import. */
export function archivePrefix({ orgId, id }: OwnedJob): string {
  return `${orgPrefix(orgId)}archives/${id}/`;
}

/**
 * Returns the prefix of the storage keys of an export's or import's files that have the job's current data
 * key, or of its unencrypted files. Files with another data key are below another prefix.
 */
export function archiveKeyPrefix(job: SealedJob): string {
  return `${archivePrefix(job)}${job.keyId ?? 'readable'}/`;
}

/**
 * Returns the prefix of the storage keys of an export's compressed files that are not joined into a part yet.
 */
export function archiveFilesPrefix(job: SealedJob): string {
  return `${archiveKeyPrefix(job)}files/`;
}

export function archiveFileKey(job: SealedJob, fileId: string): string {
  return `${archiveFilesPrefix(job)}${fileId}`;
}

/** Returns the storage key of a part of an export, counted from 1. */
export function archivePartKey(job: SealedJob, part: number): string {
  return `${archiveKeyPrefix(job)}parts/${part}`;
}

/** Returns the storage key of an archive that was uploaded for an import. */
export function uploadedArchiveKey(job: SealedJob): string {
  return `${archiveKeyPrefix(job)}upload`;
}

/** Returns the prefix of the storage keys of all files of a bot. */
export function botPrefix({ orgId, botId }: Pick<DocumentLocation, 'orgId' | 'botId'>): string {
  return `${orgPrefix(orgId)}${botId}/`;
}

/** Returns the prefix of the storage keys of all files of a workspace. */
export function orgPrefix(orgId: string): string {
  return `${orgId}/`;
}
