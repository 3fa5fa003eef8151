import { useState } from 'react';
import { toApiError, type ApiError } from '../client/api-error.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import type { KnowledgeDocument } from '../client/types.ts';
import { useSession } from '../session/session.tsx';

interface Upload {
  id: string;
  name: string;
  /** Fraction of the file that was sent so far, 0 to 1. */
  sent: number;
  problem: ApiError | null;
}

export interface Uploading {
  /** Uploads of documents that are running or have failed; successful uploads are removed. */
  uploads: readonly Upload[];
  send(files: readonly File[]): void;
  dismiss(id: string): void;
}

/** Uploads files to the bot's documents, one after the other. */
export function useUploads(url: string, onUploaded: () => void): Uploading {
  const { client } = useSession();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const updateUpload = (id: string, changes: Partial<Upload>): void =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  const dismiss = (id: string): void => setUploads((all) => all.filter((each) => each.id !== id));
  const uploadAll = async (files: readonly File[]): Promise<void> => {
    const started = files.map((file) => ({ file, id: generateBrowserId() }));
    const waiting = started.map(({ id, file }) => ({ id, name: file.name, sent: 0, problem: null }));
    setUploads((all) => [...all, ...waiting]);
    for (const { id, file } of started) {
      try {
        await client.upload<KnowledgeDocument>(url, file, (sent) => updateUpload(id, { sent }));
        dismiss(id);
        onUploaded();
      } catch (error) {
        updateUpload(id, { problem: toApiError(error) });
      }
    }
  };
  return { uploads, send: (files) => void uploadAll(files), dismiss };
}
