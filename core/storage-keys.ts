import { idOfText } from './ids.ts';

export interface DocumentPlace {
  orgId: string;
  botId: string;
  documentId: string;
  /** Pages are stored below their site, so that both are deleted together. */
  parentId: string | null;
}

/** A job and its workspace. */
export interface OwnedJob {
  orgId: string;
  id: string;
}

/** A job with the data key of its files; null for unencrypted ones. */
export interface SealedJob extends OwnedJob {
  keyId: string | null;
}

/** Storage key of a revision's original. */
export function originalKey(place: DocumentPlace, revision: number): string {
  return `${documentPrefix(place)}${revision}/original`;
}

/**
 * Storage key for the replacement of a file. It is always the same, so that leftovers of a crashed process are
 * overwritten.
 */
export function replacementKey(storageKey: string): string {
  return `${storageKey.slice(0, storageKey.lastIndexOf('/'))}/original-${idOfText(storageKey)}`;
}

/** Returns the prefix of all originals of a document and its pages. */
export function documentPrefix({ orgId, botId, documentId, parentId }: DocumentPlace): string {
  return `${botPrefix({ orgId, botId })}${parentId === null ? '' : `${parentId}/`}${documentId}/`;
}

export function avatarKey(bot: Pick<DocumentPlace, 'orgId' | 'botId'>, avatarId: string): string {
  return `${botPrefix(bot)}avatars/${avatarId}`;
}

export function receiptKey(orgId: string, receiptId: string): string {
  return `${orgPrefix(orgId)}receipts/${receiptId}`;
}

/** Returns the prefix of all files of an export or import. */
export function archivePrefix({ orgId, id }: OwnedJob): string {
  return `${orgPrefix(orgId)}archives/${id}/`;
}

/**
 * Returns the prefix of files encrypted with the job's key, or plain ones. Files with another key never have the same
 * name.
 */
export function archiveHoldPrefix(job: SealedJob): string {
  return `${archivePrefix(job)}${job.keyId ?? 'readable'}/`;
}

/** Returns the prefix of files that wait to be joined to a part. */
export function archiveFilesPrefix(job: SealedJob): string {
  return `${archiveHoldPrefix(job)}files/`;
}

export function archiveFileKey(job: SealedJob, fileId: string): string {
  return `${archiveFilesPrefix(job)}${fileId}`;
}

/** Storage key of an export's part, counted from 1. */
export function archivePartKey(job: SealedJob, part: number): string {
  return `${archiveHoldPrefix(job)}parts/${part}`;
}

/** Storage key of an uploaded archive. */
export function uploadedArchiveKey(job: SealedJob): string {
  return `${archiveHoldPrefix(job)}upload`;
}

/** Returns the prefix of all files of a bot. */
export function botPrefix({ orgId, botId }: Pick<DocumentPlace, 'orgId' | 'botId'>): string {
  return `${orgPrefix(orgId)}${botId}/`;
}

/** Returns the prefix of all files of a workspace. */
export function orgPrefix(orgId: string): string {
  return `${orgId}/`;
}
