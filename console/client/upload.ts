import { ApiError, toResponseError, createUnreachableError } from './api-error.ts';

/** Called with the sent fraction of the file, 0 to 1. */
export type OnProgress = (fraction: number) => void;

export interface Upload {
  url: string;
  headers: Record<string, string>;
  file: File;
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
}

/**
 * Uploads a file as multipart/form-data. Uses XMLHttpRequest, which can report progress while `fetch` cannot.
 * @throws ApiError
 */
export function uploadFile<T>({ url, headers, file, onProgress, signal }: Upload): Promise<T> {
  const form = new FormData();
  form.append('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText) as T);
      else reject(toResponseError(request.status, request.responseText));
    };
    request.onerror = () => reject(createUnreachableError());
    request.onabort = () => reject(new ApiError('The upload was stopped.', { code: 'stopped' }));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(form);
  });
}
