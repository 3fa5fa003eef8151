import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { addAbortSignal, type Readable } from 'node:stream';
import { rejectOnAbort } from '../../../adapters/http/deadline.ts';
import type { ImageSender } from '../../../adapters/images/image-turns.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { ObjectMissingError } from '../../../adapters/storage/object-storage.ts';
import { FairQueue } from '../../../core/concurrency/fair-queue.ts';
import type { Clock } from '../../../core/clock.ts';
import { readAcceptedFiles, type AcceptedFiles } from '../../../core/conversations/accepted-files.ts';
import { AppError, createRateLimitedError, notFound } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { conversationFilePrefix } from '../../../core/storage-keys.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ConversationFile } from '../../../entities/conversations/conversation-file.entity.ts';
import type {
  ConversationFileLocation,
  ConversationFileRepository,
} from '../../../repositories/conversations/conversation-file.repository.ts';
import type { ConversationScope } from '../../../repositories/conversations/message.repository.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';
import type { OutdatedUploads } from '../../encryption/outdated-uploads.ts';
import { drain } from '../../knowledge/ingestion/read-head.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import type { InboxService } from '../inbox-service.ts';
import { conversationEndedError, requireSessionRow } from '../session-errors.ts';
import type { ConversationFileContent, StoredFileColumns } from './conversation-file-content.ts';
import type { ConversationFileRemoval } from './conversation-file-removal.ts';
import { checkFile, type CheckedFile } from './file-check.ts';

/**
 * A conversation's file that is still being uploaded. `fields` resolves when the whole upload has arrived.
 */
export interface FileUpload {
  file: { filename: string; declaredType: string; content: Readable };
  fields(): Promise<{ client_id?: string; content?: string }>;
}

type UploadedRow = StoredFileColumns &
  Omit<CheckedFile, 'content'> & { conversationId: string } & Pick<
    ConversationFile,
    'senderRole' | 'clientId'
  >;

/** A conversation's file whose content is stored, but whose row does not refer to it yet. */
export interface UploadedFile {
  location: ConversationFileLocation;
  /** Columns of the file's row that are known after the upload. */
  row: UploadedRow;
  /** Text of the agent's message to which the file belongs. */
  text: string;
  fingerprint: object;
  discard(): Promise<void>;
}

/** A conversation's file with a download link that expires. */
export interface LinkedFile {
  file: Opened<ConversationFile>;
  url: string;
  expiresAt: Date;
}

/** An opened file of a conversation. Callers must read or destroy its content. */
export interface OpenedFile {
  content: Readable;
  sizeBytes: number | undefined;
  name: string;
  mimeType: string;
  isImage: boolean;
}

/** Payload of the token in a file's download link. */
interface FileLink {
  org_id: string;
  file_id: string;
  /** Expiry of the download link, in milliseconds since the epoch. */
  expires_at: number;
}

export interface ConversationFileServiceDeps {
  rows: ConversationFileRepository;
  conversations: ScopedRepository<Conversation>;
  bots: ScopedRepository<Bot>;
  content: ConversationFileContent;
  removal: ConversationFileRemoval;
  outdatedUploads: OutdatedUploads;
  inbox: Pick<InboxService, 'reply'>;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  settings: Pick<Settings, 'baseUrl' | 'fileLinkSeconds' | 'filesPerMessage' | 'filesPerConversation'>;
}

/**
 * Limits for uploads that a process holds in memory at once: up to 120 MB each for visitors and agents. A
 * sender who sends slowly loses the slot to another sender.
 */
const UPLOADS = { slots: 12, maxWaiting: 200, maxWaitMs: 15_000, turnMs: 10_000 };
const BUSY_SECONDS = 5;
const ALL_FILES: AcceptedFiles = { images: true, documents: true };

/** Receives, lists and serves files that visitors and agents send in conversations. */
export class ConversationFileService {
  readonly #deps: ConversationFileServiceDeps;
  readonly #visitorUploads = new FairQueue(UPLOADS);
  readonly #teamUploads = new FairQueue(UPLOADS);

  constructor(deps: ConversationFileServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Receives a visitor's file for the message with the upload's `client_id`.
   * @param sender the visitor's address
   * @throws AppError `conflict` if the bot accepts no files, the conversation has ended, or too many files
   *   were sent; `rate_limited` if too many files are being uploaded; the errors of `checkFile`;
   *   `key_unavailable`
   */
  receiveFromVisitor(scope: VisitorScope, upload: FileUpload, sender: ImageSender): Promise<UploadedFile> {
    return this.#receive(scope, upload, 'user', { ...sender, queue: this.#visitorUploads });
  }

  /**
   * Receives a file that an agent sends to the visitor.
   * @throws AppError as `receiveFromVisitor`; `not_found`
   */
  async receiveFromAgent(
    scope: MemberScope,
    conversationId: string,
    upload: FileUpload,
    signal: AbortSignal,
  ): Promise<UploadedFile> {
    const sender = { id: await findPayerId(scope), signal, queue: this.#teamUploads };
    return this.#receive({ ...scope, conversationId }, upload, 'agent', sender);
  }

  /** Makes a visitor's uploaded file visible in the conversation. */
  async publish(tx: VisitorScope, uploaded: UploadedFile): Promise<LinkedFile> {
    return this.#publish(tx, uploaded, null);
  }

  /**
   * Sends an agent's uploaded file to the visitor with a message.
   * @throws AppError as `InboxService.reply`
   */
  async send(tx: MemberScope, uploaded: UploadedFile): Promise<LinkedFile> {
    const { conversationId, name } = uploaded.row;
    const { id } = await this.#deps.inbox.reply(tx, conversationId, uploaded.text || name);
    return this.#publish(tx, uploaded, id);
  }

  /**
   * Lists the visitor's own files and the team's files in the conversation.
   * @throws AppError `key_unavailable`
   */
  listForVisitor(scope: VisitorScope): Promise<LinkedFile[]> {
    return this.#list(scope);
  }

  /**
   * Lists the files of the conversation's messages for the team.
   * @throws AppError `not_found`; `key_unavailable`
   */
  async listForTeam(scope: OrgScope, conversationId: string): Promise<LinkedFile[]> {
    await this.#deps.conversations.get(scope, conversationId);
    const files = await this.#list({ ...scope, conversationId });
    return files.filter(({ file }) => file.messageId !== null);
  }

  /**
   * Deletes a visitor's file that belongs to no message.
   * @throws AppError `not_found` for a file of another conversation; `conflict` after the message was sent
   */
  removeUnsent(scope: VisitorScope, fileId: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { rows, removal } = this.#deps;
      const file = await rows.get(tx, fileId);
      if (file.conversationId !== scope.conversationId || file.senderRole !== 'user') throw notFound('file');
      if (file.messageId !== null || (await rows.findMessageId(tx, file)) !== null)
        throw new AppError('conflict', 'A message already contains this file.');
      await removal.deleteFile(tx, file);
    });
  }

  /**
   * Opens the file that a download link's token names.
   * @throws AppError `not_found` if the link is invalid or expired, or the file was deleted;
   *   `key_unavailable` if the key that decrypts the file cannot be used now
   */
  async open(db: Database, token: string): Promise<OpenedFile> {
    const { keyring, clock } = this.#deps;
    const link = keyring.verify<FileLink>('conversation-file', token);
    if (!link || link.expires_at <= clock.now().getTime()) throw createInvalidLinkError();
    return this.#openContent({ orgId: link.org_id, db }, link.file_id);
  }

  /** @param goneKey storage key under which the previous attempt found no file */
  async #openContent(scope: OrgScope, fileId: string, goneKey?: string): Promise<OpenedFile> {
    const { rows, bots, content } = this.#deps;
    const row = await rows.find(scope, fileId);
    if (!row || row.conversationId === null || !(await bots.find(scope, row.botId)))
      throw createInvalidLinkError();
    const { storageKey } = row;
    try {
      const { name, mimeType, width } = await rows.open(scope, row);
      const opened = await content.open(row);
      return { ...opened, name, mimeType, isImage: width !== null };
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      if (storageKey === goneKey) throw createInvalidLinkError(error);
      // Re-encryption has replaced the file since the row was read, so retry with the current row.
      return this.#openContent(scope, fileId, storageKey);
    }
  }

  async #list(scope: ConversationScope): Promise<LinkedFile[]> {
    const { rows } = this.#deps;
    const files = await rows.openAll(scope, await rows.listInConversation(scope));
    return files.map((file) => this.#link(file));
  }

  #link(file: Opened<ConversationFile>): LinkedFile {
    const { keyring, clock, settings } = this.#deps;
    const expiresAt = new Date(clock.now().getTime() + settings.fileLinkSeconds * 1000);
    const link: FileLink = { org_id: file.orgId, file_id: file.id, expires_at: expiresAt.getTime() };
    return {
      file,
      url: `${settings.baseUrl}/api/ext/files/${keyring.sign('conversation-file', link)}`,
      expiresAt,
    };
  }

  async #receive(
    scope: ConversationScope,
    upload: FileUpload,
    senderRole: ConversationFile['senderRole'],
    { queue, ...sender }: ImageSender & { queue: FairQueue },
  ): Promise<UploadedFile> {
    try {
      const { accepted, botId } = await this.#requireAccepted(scope, senderRole);
      const receive = async (turn: AbortSignal) => {
        const { file } = upload;
        const content = await buffer(addAbortSignal(turn, file.content));
        const { client_id: clientId = null, content: text = '' } = await rejectOnAbort(upload.fields(), turn);
        const checked = await checkFile({ ...file, content }, accepted, sender);
        const sha256 = createHash('sha256').update(content).digest('hex');
        const fingerprint = { sha256, name: checked.name, clientId, text };
        return this.#store(scope, { senderRole, clientId, text, fingerprint }, checked, botId);
      };
      return await runInTurn(queue, sender, receive);
    } catch (error) {
      // Reads the rest of the upload: a client that is still sending would miss the error if the connection
      // closed.
      await drain(upload.file.content);
      throw error;
    }
  }

  async #requireAccepted(
    scope: ConversationScope,
    senderRole: ConversationFile['senderRole'],
  ): Promise<{ accepted: AcceptedFiles; botId: string }> {
    const { conversations, bots } = this.#deps;
    const found = conversations.get(scope, scope.conversationId);
    const conversation = await (senderRole === 'user' ? requireSessionRow(found) : found);
    if (conversation.status === 'ended') throw conversationEndedError();
    const { botId } = conversation;
    const accepted = readAcceptedFiles((await bots.get(scope, botId)).widgetTheme);
    if (accepted === null) throw new AppError('conflict', 'The bot does not accept files.');
    return { accepted: senderRole === 'user' ? accepted : ALL_FILES, botId };
  }

  /**
   * Stores the content of an uploaded file. Before, reserves the content's folder in a database row, so that
   * the content can be deleted after a crash.
   */
  async #store(
    { db, orgId, conversationId }: ConversationScope,
    sent: Pick<UploadedRow, 'senderRole' | 'clientId'> & Pick<UploadedFile, 'text' | 'fingerprint'>,
    { content, ...checked }: CheckedFile,
    botId: string,
  ): Promise<UploadedFile> {
    const { rows, content: contents } = this.#deps;
    const { senderRole, clientId, text, fingerprint } = sent;
    const id = newId();
    const folder = conversationFilePrefix({ orgId, botId, conversationId }, id);
    const location = { id, orgId, botId, folder };
    const scope = { db, orgId };
    await rows.insert(scope, { id, botId, senderRole, name: '', mimeType: '', storageKey: folder });
    const discard = () => this.#discard(scope, location);
    try {
      const row = {
        conversationId,
        senderRole,
        clientId,
        ...checked,
        ...(await contents.put(location, content)),
      };
      return { location, row, text, fingerprint, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /**
   * Checks the limits on the number of files in the transaction that publishes the file, so that a repeated
   * request passes.
   */
  async #requireRoom(tx: ConversationScope, { senderRole, clientId }: UploadedRow): Promise<void> {
    const { conversations, rows, settings } = this.#deps;
    const { filesPerConversation, filesPerMessage } = settings;
    const { conversationId } = tx;
    const { status } = await requireSessionRow(conversations.lock(tx, conversationId));
    if (status === 'ended') throw conversationEndedError();
    if ((await rows.count(tx, { senderRole })) >= filesPerConversation)
      throw new AppError('conflict', `The conversation already has ${filesPerConversation} files.`);
    if (clientId === null) return;
    if ((await rows.count(tx, { senderRole, clientId })) >= filesPerMessage)
      throw new AppError('conflict', `The message already has ${filesPerMessage} files.`);
    if ((await rows.findMessageId(tx, { conversationId, clientId })) !== null)
      throw new AppError('conflict', 'The message was already sent; use a new client_id.');
  }

  async #publish(
    tx: OrgScope,
    { location, row }: UploadedFile,
    messageId: string | null,
  ): Promise<LinkedFile> {
    const { rows, outdatedUploads } = this.#deps;
    await this.#requireRoom({ ...tx, conversationId: row.conversationId }, row);
    if (!(await rows.update(tx, location.id, { ...row, messageId }))) throw notFound('file');
    await outdatedUploads.resealIfOutdated(tx, row.fileKeyId);
    return this.#link(await rows.open(tx, await rows.get(tx, location.id)));
  }

  /**
   * Deletes an uploaded file that is not published. A failure is only logged: `purgeExpired` deletes the
   * rest.
   */
  async #discard({ orgId, db }: OrgScope, location: ConversationFileLocation): Promise<void> {
    const { content, rows, log } = this.#deps;
    try {
      await content.delete(location);
      await rows.delete({ orgId, db }, location.id);
    } catch (error) {
      log.error({ err: error, fileId: location.id }, 'cannot delete a file that was not sent');
    }
  }
}

/** @throws AppError `rate_limited` if the sender gets no slot for an upload in time, or loses it */
async function runInTurn<T>(
  queue: FairQueue,
  { id, signal }: ImageSender,
  work: (turn: AbortSignal) => Promise<T>,
): Promise<T> {
  const result = await queue.run(id, work, signal);
  if (result === 'out_of_turn')
    throw createRateLimitedError('Too many files are being uploaded', BUSY_SECONDS);
  return result;
}

function createInvalidLinkError(cause?: unknown): AppError {
  return new AppError('not_found', 'The link is not valid or has expired; request a new one.', { cause });
}
