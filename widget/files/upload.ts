import type { ConversationFileRead } from '../../api/conversations/files.schemas.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import { ANONYMOUS } from '../anonymous.ts';
import type { Credential } from '../session/stored-state.ts';
import type { FilesChat } from './contract.ts';

export type SentFile = ConversationFileRead;

const RETRY_DELAYS_MS = [1000, 3000];

/** An upload of a file that the API has refused, or that did not reach the API. */
export class UploadError extends Error {
  /** HTTP status of the response; 0 if no response arrived. */
  readonly status: number;

  constructor(status: number) {
    super(`The upload failed with status ${status}.`);
    this.status = status;
  }
}

export function buildFilesUrl({ base }: Pick<FilesChat, 'base'>, { sessionId }: Credential): string {
  return `${base}/api/ext/public/sessions/${sessionId}/files`;
}

/** Returns the options of a `fetch` request in the visitor's session. */
export function createVisitorRequest({ token }: Credential, method = 'GET'): RequestInit {
  return { ...ANONYMOUS, method, headers: { Authorization: `Bearer ${token}` } };
}

/**
 * Uploads a file for the message with the client id. Repeats the request if no response arrives, and starts a
 * session if the visitor has none.
 * @param onProgress called with the sent share of the file, from 0 to 1
 * @throws UploadError; the signal's reason
 */
export async function uploadFile(
  chat: FilesChat,
  file: File,
  clientId: string,
  { onProgress, signal }: { onProgress(share: number): void; signal: AbortSignal },
): Promise<SentFile> {
  const key = generateBrowserId();
  let credential = await chat.session.useActive(async (current) => current);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(buildFilesUrl(chat, credential), credential, {
        file,
        clientId,
        key,
        onProgress,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UploadError)) throw error;
      const delayMs = RETRY_DELAYS_MS[attempt];
      const mayRepeat = [0, 401, 409, 502, 503].includes(error.status);
      if (delayMs === undefined || !mayRepeat || (error.status === 409 && attempt > 0)) throw error;
      if (error.status === 401) credential = await chat.session.renew(credential);
      else await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** Sends the file by XMLHttpRequest, since `fetch` does not report the progress of an upload. */
function send(
  url: string,
  { token }: Credential,
  {
    file,
    clientId,
    key,
    onProgress,
    signal,
  }: { file: File; clientId: string; key: string; onProgress(share: number): void; signal: AbortSignal },
): Promise<SentFile> {
  const body = new FormData();
  body.set('client_id', clientId);
  body.set('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.setRequestHeader('Idempotency-Key', key);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      if (request.status === 201) resolve(request.response as SentFile);
      else reject(new UploadError(request.status));
    };
    request.onerror = request.ontimeout = request.onabort = () => reject(new UploadError(0));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
