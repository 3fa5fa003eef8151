import { formatSize } from '../../core/text/size-text.ts';
import { h, icon, outwardLink } from '../ui/dom.ts';
import type { FilesChat } from './contract.ts';
import { buildFilesUrl, createVisitorRequest, type SentFile } from './upload.ts';

/**
 * Milliseconds after a change before the list of files is loaded, so that several changes cause one request.
 */
const PAUSE_MS = 300;
/** Milliseconds before the expiry of links to files at which the widget renews the links. */
const RENEWAL_MS = 30_000;
const MIN_RENEWAL_MS = 10_000;
const MAX_THUMBNAIL_PX = 220;

/** Shows the files of the conversation below the texts of their messages. */
export class MessageFiles {
  readonly #chat: FilesChat;
  readonly #root: ShadowRoot;
  readonly #files = new Map<string, SentFile>();
  readonly #links = new Map<string, HTMLAnchorElement>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #knownState = '';

  constructor(root: ShadowRoot, chat: FilesChat, signal: AbortSignal) {
    this.#root = root;
    this.#chat = chat;
    const items = root.querySelector('.items')!;
    const observer = new MutationObserver(() => this.#onChange());
    observer.observe(items, { childList: true });
    document.addEventListener('visibilitychange', () => !document.hidden && this.#schedule(PAUSE_MS), {
      signal,
    });
    signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(this.#timer);
    });
    this.#onChange();
  }

  /** Shows files of a message that the visitor is sending. */
  add(files: readonly SentFile[]): void {
    for (const file of files) this.#files.set(file.id, file);
    this.#place();
  }

  #onChange(): void {
    this.#place();
    const { credential } = this.#chat.session;
    const count = (role: string) => this.#root.querySelectorAll(`.message[data-role="${role}"]`).length;
    const state = `${credential?.sessionId} ${count('agent')} ${count('user')}`;
    if (!credential || state === this.#knownState) return;
    this.#knownState = state;
    this.#schedule(PAUSE_MS);
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), delayMs);
  }

  async #load(): Promise<void> {
    const files = await this.#chat.session
      .useExisting(async (credential) => {
        const response = await fetch(buildFilesUrl(this.#chat, credential), createVisitorRequest(credential));
        return response.ok ? ((await response.json()) as SentFile[]) : [];
      })
      .catch(() => null);
    if (!files || files.length === 0) return;
    this.add(files);
    const expiresInMs = Date.parse(files[0]!.url_expires_at) - Date.now();
    if (!document.hidden) this.#schedule(Math.max(MIN_RENEWAL_MS, expiresInMs - RENEWAL_MS));
  }

  #place(): void {
    for (const file of this.#files.values()) {
      const { id, client_id: clientId, message_id: messageId } = file;
      const message = this.#find(clientId) ?? this.#find(messageId);
      if (!message) continue;
      const link = this.#links.get(id) ?? this.#createLink(file);
      link.href = this.#toUrl(file);
      this.#links.set(id, link);
      if (message.contains(link)) continue;
      const list = message.querySelector('.files') ?? h('div', { class: 'files' });
      list.append(link);
      message.querySelector('.bubble')!.after(list);
    }
  }

  #find(key: string | null): HTMLElement | null {
    return key === null ? null : this.#root.getElementById(key);
  }

  #createLink(file: SentFile): HTMLAnchorElement {
    const { name, width, height, size_bytes: sizeBytes } = file;
    if (width === null || height === null) {
      const size = h('small', {}, formatSize(sizeBytes));
      const link = outwardLink('', icon('file'), h('bdi', {}, name), size);
      link.className = 'file';
      return link;
    }
    const scale = Math.min(1, MAX_THUMBNAIL_PX / Math.max(width, height));
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    return outwardLink('', h('img', { src: this.#toUrl(file), alt: name, loading: 'lazy', ...size }));
  }

  /**
   * Returns the URL of a file. The widget may reach the API at another address than the one in the file's
   * link.
   */
  #toUrl({ url }: SentFile): string {
    return this.#chat.base + url.slice(url.indexOf('/api/ext/files/'));
  }
}
