import { fill } from '../texts.ts';
import { button, h, icon } from '../ui/dom.ts';
import type { FilesChat } from './contract.ts';
import { buildFilesUrl, createVisitorRequest, uploadFile, UploadError, type SentFile } from './upload.ts';
import type { FileWords } from './words.ts';

export interface AttachmentDeps {
  chat: FilesChat;
  words: FileWords;
  clientId: string;
  /** Called when the upload of the file has ended or failed. */
  onSettled(attachment: Attachment): void;
  onRemoved(attachment: Attachment): void;
}

/** A file that the visitor has chosen, with its upload. */
export class Attachment {
  readonly element: HTMLElement;
  readonly #deps: AttachmentDeps;
  readonly #file: File;
  readonly #bar: HTMLProgressElement;
  readonly #state = h('span', { class: 'file-state' });
  readonly #controller = new AbortController();
  readonly #preview: string | null;
  /** The file as the API has stored it; null until it is uploaded. */
  sent: SentFile | null = null;
  /** Why the upload of the file failed, as a text for the visitor; null if it did not fail. */
  failure: string | null = null;

  constructor(file: File, deps: AttachmentDeps) {
    const { name } = file;
    this.#file = file;
    this.#deps = deps;
    this.#bar = h('progress', { max: 1, value: 0, 'aria-label': name });
    this.#preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
    const remove = h(
      'button',
      {
        type: 'button',
        class: 'icon-button',
        'aria-label': fill(deps.words.remove, { name }),
        onclick: () => this.remove(),
      },
      icon('close'),
    );
    this.element = h(
      'li',
      {},
      this.#preview === null ? icon('file') : h('img', { src: this.#preview, alt: '' }),
      h('span', { class: 'file-name' }, h('bdi', {}, name), this.#bar, this.#state),
      remove,
    );
  }

  get name(): string {
    return this.#file.name;
  }

  get isUploading(): boolean {
    return this.sent === null && this.failure === null;
  }

  async upload(): Promise<void> {
    const { chat, clientId, words, onSettled } = this.#deps;
    const { signal } = this.#controller;
    this.failure = null;
    this.#state.replaceChildren();
    this.#bar.hidden = false;
    try {
      const onProgress = (share: number) => (this.#bar.value = share);
      this.sent = await uploadFile(chat, this.#file, clientId, { onProgress, signal });
    } catch (error) {
      if (signal.aborted) return;
      const status = error instanceof UploadError ? error.status : 0;
      this.failure = fill(chooseFailure(status, words), { name: this.name });
      this.#state.replaceChildren(
        h('span', { class: 'problem' }, this.failure),
        button(words.retry, () => void this.upload(), 'text'),
      );
    }
    this.#bar.hidden = true;
    onSettled(this);
  }

  /** Cancels the upload of the file, or deletes the uploaded file. */
  remove(): void {
    const { chat, onRemoved } = this.#deps;
    const { credential } = chat.session;
    this.release();
    onRemoved(this);
    if (this.sent === null || !credential) return;
    const url = `${buildFilesUrl(chat, credential)}/${this.sent.id}`;
    // Ignore a failed request: the API deletes a file without a message after an hour.
    fetch(url, createVisitorRequest(credential, 'DELETE')).catch(() => undefined);
  }

  /** Cancels a running upload of the file, and removes its preview from the page and from memory. */
  release(): void {
    this.#controller.abort();
    if (this.#preview !== null) URL.revokeObjectURL(this.#preview);
    this.element.remove();
  }
}

function chooseFailure(status: number, words: FileWords): string {
  if (status === 413) return words.tooLarge;
  if (status === 415 || status === 422) return words.wrongType;
  return status === 409 ? words.tooMany : words.failed;
}
