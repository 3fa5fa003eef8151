import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { generateBrowserId } from '../../browser/new-id.ts';
import { fill } from '../texts.ts';
import { h } from '../ui/dom.ts';
import { Attachment } from './attachment.ts';
import type { FilesModule, FilesOptions } from './contract.ts';
import { MessageFiles } from './message-files.ts';
import type { SentFile } from './upload.ts';
import { fileWords } from './words.ts';
import styles from './files.css';

const MAX_FILES = 5;
const MAX_BYTES = 10 * 1024 * 1024;
const IMAGES = 'image/png,image/jpeg,image/webp,image/gif';
const DOCUMENTS = '.pdf,.docx,.xlsx,.pptx,.odt,.epub,.md,.txt,.csv';
const CLIP = 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4L14.6 7';

export const attachFiles: FilesModule['attachFiles'] = (root, options) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const shown = new MessageFiles(root, options.chat, options.signal);
  new FileComposer(root, options, (files) => shown.add(files));
};

/** Lets the visitor choose, drop and paste files, and sends them with the next message. */
class FileComposer {
  readonly #options: FilesOptions;
  readonly #words;
  readonly #form: HTMLFormElement;
  readonly #tray = h('ul', { class: 'attachments' });
  readonly #problem = h('p', { class: 'problem', role: 'alert' });
  readonly #status = h('p', { class: 'unseen', role: 'status' });
  readonly #onSent: (files: SentFile[]) => void;
  #attachments: Attachment[] = [];
  #clientId = generateBrowserId();
  #visitorCount: number;
  /** True if the visitor has sent the message, but its uploads are still running. */
  #isWaiting = false;

  /** @param onSent called with the files of a message that is being sent */
  constructor(root: ShadowRoot, options: FilesOptions, onSent: (files: SentFile[]) => void) {
    const { chat, signal } = options;
    this.#options = options;
    this.#onSent = onSent;
    this.#visitorCount = chat.visitorCount;
    this.#words = fileWords[chat.language] ?? fileWords['en']!;
    this.#form = root.querySelector<HTMLFormElement>('.composer')!;
    this.#form.prepend(this.#tray, this.#problem, this.#status);
    this.#form.querySelector('.row')!.prepend(...this.#createPicker());
    this.#form.addEventListener('submit', (event) => this.#onSubmit(event), { capture: true });
    this.#form.addEventListener('paste', (event) => this.#onPaste(event));
    this.#acceptDrops(root.querySelector<HTMLElement>('.panel')!);
    signal.addEventListener('abort', () => this.#dropAll());
  }

  #createPicker(): Node[] {
    const { images, documents } = this.#options.accepted;
    const accept = [images && IMAGES, documents && DOCUMENTS].filter(Boolean).join(',');
    const input = h('input', { type: 'file', multiple: true, accept, hidden: true, tabindex: -1 });
    input.addEventListener('change', () => {
      this.#add([...(input.files ?? [])]);
      input.value = '';
    });
    const { attach } = this.#words;
    const open = h('button', {
      type: 'button',
      class: 'icon-button attach',
      'aria-label': attach,
      title: attach,
      onclick: () => input.click(),
    });
    open.append(createClip());
    return [input, open];
  }

  #acceptDrops(panel: HTMLElement): void {
    const { drop } = this.#words;
    const hint = h('div', { class: 'drop-hint', hidden: true }, drop);
    panel.append(hint);
    const onDrag = (event: DragEvent) => {
      if (this.#form.hidden || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      hint.hidden = false;
    };
    panel.addEventListener('dragenter', onDrag);
    panel.addEventListener('dragover', onDrag);
    panel.addEventListener('dragleave', (event) => {
      if (!panel.contains(event.relatedTarget as Node | null)) hint.hidden = true;
    });
    panel.addEventListener('drop', (event) => {
      hint.hidden = true;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (this.#form.hidden || files.length === 0) return;
      event.preventDefault();
      this.#add(files);
    });
  }

  #onPaste(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.#add(files);
  }

  #add(files: File[]): void {
    this.#forgetFormerVisitor();
    this.#showProblem('');
    for (const file of files) {
      const { name } = file;
      if (this.#attachments.length >= MAX_FILES) return this.#showProblem(this.#words.tooMany);
      if (file.size > MAX_BYTES) this.#showProblem(fill(this.#words.tooLarge, { name }));
      else this.#attach(file);
    }
  }

  #attach(file: File): void {
    const attachment = new Attachment(file, {
      chat: this.#options.chat,
      words: this.#words,
      clientId: this.#clientId,
      onSettled: (settled) => this.#onSettled(settled),
      onRemoved: (removed) => this.#onRemoved(removed),
    });
    this.#attachments.push(attachment);
    this.#tray.append(attachment.element);
    void attachment.upload();
  }

  #onSettled({ name, failure }: Attachment): void {
    this.#status.textContent = failure ?? fill(this.#words.ready, { name });
    if (failure !== null) this.#isWaiting = false;
    else if (this.#isWaiting) this.#form.requestSubmit();
  }

  #onRemoved(removed: Attachment): void {
    this.#attachments = this.#attachments.filter((each) => each !== removed);
    this.#isWaiting = false;
    this.#showProblem('');
    this.#findField().focus();
  }

  /** Sends the message with its files. For a message without files, the usual message form sends it. */
  #onSubmit(event: Event): void {
    this.#forgetFormerVisitor();
    const text = this.#findField().value.trim();
    const attachments = this.#attachments;
    // The usual message form explains why a text is too long.
    if (attachments.length === 0 || countCharacters(text) > MAX_MESSAGE_LENGTH) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const failed = attachments.find(({ failure }) => failure !== null);
    if (failed) return this.#showProblem(failed.failure!);
    this.#isWaiting = attachments.some(({ isUploading }) => isUploading);
    if (this.#isWaiting) return this.#showProblem(this.#words.waiting);
    const files = attachments.map(({ sent }) => sent!);
    this.#options.chat.send(text || files.map(({ name }) => name).join(', '), undefined, this.#clientId);
    this.#onSent(files);
    this.#dropAll();
    const field = this.#findField();
    field.value = '';
    field.dispatchEvent(new Event('input'));
  }

  /** Removes the chosen files of the previous visitor of this page. */
  #forgetFormerVisitor(): void {
    const { visitorCount } = this.#options.chat;
    if (visitorCount === this.#visitorCount) return;
    this.#visitorCount = visitorCount;
    this.#dropAll();
  }

  #dropAll(): void {
    for (const attachment of this.#attachments) attachment.release();
    this.#attachments = [];
    this.#clientId = generateBrowserId();
    this.#isWaiting = false;
    this.#showProblem('');
  }

  #findField(): HTMLTextAreaElement | HTMLInputElement {
    return this.#form.querySelector('.row > :is(textarea, input:not([type="file"]))')!;
  }

  #showProblem(problem: string): void {
    this.#problem.textContent = problem;
  }
}

function createClip(): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', CLIP);
  svg.append(path);
  return svg;
}
