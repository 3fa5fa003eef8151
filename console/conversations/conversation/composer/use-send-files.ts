import { useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { readAcceptedFiles } from '../../../../core/conversations/accepted-files.ts';
import { toApiError } from '../../../client/api-error.ts';
import { path } from '../../../client/paths.ts';
import type { Bot, ConversationFile } from '../../../client/types.ts';
import { showError } from '../../../components/page/notices.ts';
import { useSession } from '../../../session/session.tsx';
import { useApi } from '../../../state/use-api.ts';

/** A file that is being sent to the visitor. */
export interface FileUpload {
  id: number;
  name: string;
  /** Fraction of the file that was sent so far, 0 to 1. */
  sent: number;
  stop(): void;
}

/**
 * Sends files to the visitor, each as a message.
 * @param botId bot of the conversation; undefined if files cannot be sent
 */
export function useSendFiles(conversationId: string, botId: string | undefined) {
  const { client } = useSession();
  const { data: bot } = useApi<Bot>(botId === undefined ? null : path`/api/bots/${botId}`);
  const [uploads, setUploads] = useState<readonly FileUpload[]>([]);
  const lastId = useRef(0);
  const sendOne = async (file: File): Promise<void> => {
    const id = (lastId.current += 1);
    const controller = new AbortController();
    const change = (sent: number): void =>
      setUploads((before) => before.map((each) => (each.id === id ? { ...each, sent } : each)));
    setUploads((before) => [...before, { id, name: file.name, sent: 0, stop: () => controller.abort() }]);
    try {
      const url = path`/api/ext/conversations/${conversationId}/files`;
      await client.upload<ConversationFile>(url, file, change, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) showError(`${file.name}: ${toApiError(error).message}`);
    } finally {
      setUploads((before) => before.filter((each) => each.id !== id));
    }
  };
  const send = (files: readonly File[]): void => {
    for (const file of files) void sendOne(file);
  };
  return {
    isPermitted: bot !== undefined && readAcceptedFiles(bot.widget_theme) !== null,
    uploads,
    send,
    dropHandlers: {
      onDragOver: (event: DragEvent) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      },
      onDrop: (event: DragEvent) => takeFiles(event, event.dataTransfer, send),
      onPaste: (event: ClipboardEvent) => takeFiles(event, event.clipboardData, send),
    },
  };
}

function takeFiles(
  event: DragEvent | ClipboardEvent,
  { files }: DataTransfer,
  send: (files: File[]) => void,
): void {
  if (files.length === 0) return;
  event.preventDefault();
  send([...files]);
}
