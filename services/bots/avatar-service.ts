import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { reencodeAvatar, type AvatarImage } from '../../adapters/images/avatar-image.ts';
import type { ImageSender } from '../../adapters/images/image-turns.ts';
import {
  ObjectMissingError,
  type ObjectStorage,
  type OpenedObject,
} from '../../adapters/storage/object-storage.ts';
import { verifyContent } from '../../adapters/storage/verified-content.ts';
import { notFound } from '../../core/errors/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Avatar } from '../../entities/bots/avatar.entity.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { AvatarRepository } from '../../repositories/bots/avatar.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import { deleteFileCommand } from '../outbox/delete-file-command.ts';
import { avatarKey, type DocumentLocation } from '../../core/storage-keys.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { findPayerId } from '../requests/payer-queue.ts';

type Theme = Record<string, unknown>;
type AvatarOwner = Pick<DocumentLocation, 'orgId' | 'botId'>;

/** Start of the URL path of all avatar images. */
const ASSETS_PATH = '/api/public/assets/';

/**
 * Returns the id of the avatar in a bot's theme; null if the theme has no avatar, or an image from another
 * website.
 */
export function parseAvatarId({ avatar_url: url }: Theme): string | null {
  const id = typeof url === 'string' ? url.split('/').at(-1)! : '';
  return isUuid(id) ? id.toLowerCase() : null;
}

/** An avatar image that is still being uploaded. `fields` resolves when the whole upload has arrived. */
export interface AvatarUpload {
  file: { content: Readable };
  fields(): Promise<object>;
}

/** An avatar whose file is stored, but whose database row is not. `discard` deletes the file. */
export interface ReceivedAvatar {
  avatar: Pick<Avatar, 'id' | 'botId' | 'mimeType' | 'sizeBytes' | 'storageKey'>;
  fingerprint: object;
  discard(): Promise<void>;
}

export interface OpenedAvatar extends OpenedObject {
  mimeType: string;
}

export interface AvatarServiceDeps {
  bots: ScopedRepository<Bot>;
  avatars: AvatarRepository;
  outbox: OutboxService;
  storage: ObjectStorage;
  log: Logger;
  baseUrl: string;
}

/** Stores avatars of bots, shows them in the widget and serves their files. */
export class AvatarService {
  readonly #deps: AvatarServiceDeps;

  constructor(deps: AvatarServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Re-encodes and stores an uploaded avatar image.
   * @throws the errors of `reencodeAvatar`, and the error of a failed upload
   */
  async receive(
    scope: OrgScope,
    botId: string,
    { file, fields }: AvatarUpload,
    signal: AbortSignal,
  ): Promise<ReceivedAvatar> {
    const { bots } = this.#deps;
    const received = await buffer(file.content);
    await fields();
    await bots.get(scope, botId);
    const sender: ImageSender = { id: await findPayerId(scope), signal };
    const avatar = await this.store({ orgId: scope.orgId, botId }, await reencodeAvatar(received, sender));
    return {
      avatar,
      fingerprint: { sha256: createHash('sha256').update(received).digest('hex') },
      discard: () => this.discard(avatar.storageKey),
    };
  }

  /** Stores an avatar image for a bot. The bot may be created later. */
  async store(owner: AvatarOwner, { content, mimeType }: AvatarImage): Promise<ReceivedAvatar['avatar']> {
    return this.#storeImage(owner, mimeType, Readable.from([content]));
  }

  /**
   * Makes the image the bot's avatar. The previous image is deleted later, unless a version of the bot shows
   * it.
   */
  publish(scope: OrgScope, { avatar }: ReceivedAvatar): Promise<Bot> {
    const { bots, avatars } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const { id, widgetTheme } = await bots.lock(tx, avatar.botId);
      await avatars.insert(tx, avatar);
      await bots.update(tx, id, {
        widgetTheme: { ...widgetTheme, avatar_url: this.buildUrl(avatar.id) },
        updatedAt: () => 'now()',
      });
      await this.deleteUnused(tx, id);
      return bots.get(tx, id);
    });
  }

  /**
   * Opens the file of an avatar image.
   * @throws AppError `not_found` if no bot currently shows the image
   */
  async open(db: Database, id: string): Promise<OpenedAvatar> {
    const avatar = await this.#deps.avatars.findPublished(db, id);
    if (!avatar) throw notFound('image');
    try {
      return { ...(await this.#openFile(avatar)), mimeType: avatar.mimeType };
    } catch (error) {
      throw error instanceof ObjectMissingError ? notFound('image') : error;
    }
  }

  buildUrl(avatarId: string): string {
    return `${this.#deps.baseUrl}${ASSETS_PATH}${avatarId}`;
  }

  /** Removes the avatar from a bot's theme if the workspace has no image with its id. */
  async dropUnknownImage(scope: OrgScope, theme: Theme): Promise<Theme> {
    const id = parseAvatarId(theme);
    return id !== null && (await this.#deps.avatars.find(scope, id)) ? theme : this.dropImage(theme);
  }

  /** Removes the avatar from a bot's theme, unless it is an image from another website. */
  dropImage(theme: Theme): Theme {
    const { avatar_url: url, ...others } = theme;
    return typeof url === 'string' && url.startsWith(this.buildUrl('')) ? others : theme;
  }

  /**
   * Copies the avatar's file for another bot. Returns null if the bot shows no avatar of its workspace.
   * @param target the other bot, which may be created later
   */
  async copyFile(scope: OrgScope, bot: Bot, target: AvatarOwner): Promise<ReceivedAvatar['avatar'] | null> {
    const { avatars } = this.#deps;
    const shownId = parseAvatarId(bot.widgetTheme);
    const shownAvatar = shownId === null ? null : await avatars.find(scope, shownId);
    if (!shownAvatar) return null;
    try {
      const { content } = await this.#openFile(shownAvatar);
      return await this.#storeImage(target, shownAvatar.mimeType, content);
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }

  async #openFile({ storageKey, sizeBytes }: Avatar): Promise<OpenedObject> {
    return verifyContent(storageKey, await this.#deps.storage.open(storageKey), { sizeBytes, sha256: null });
  }

  async #storeImage(
    owner: AvatarOwner,
    mimeType: string,
    content: Readable,
  ): Promise<ReceivedAvatar['avatar']> {
    const id = newId();
    const storageKey = avatarKey(owner, id);
    const { sizeBytes } = await this.#deps.storage.put(storageKey, content);
    return { id, botId: owner.botId, mimeType, sizeBytes, storageKey };
  }

  /**
   * Deletes the rows of avatar images that neither the bot nor any of its versions shows. A workflow deletes
   * their files.
   */
  async deleteUnused(scope: OrgScope, botId: string): Promise<void> {
    const { avatars, outbox } = this.#deps;
    for (const { id, storageKey } of await avatars.listUnused(scope, botId)) {
      await avatars.delete(scope, id);
      const input = { orgId: scope.orgId, botId, storageKey };
      await outbox.command(scope, deleteFileCommand(input, 'Remove an avatar that was replaced', id));
    }
  }

  /** Deletes the file of an avatar that has no database row. A failure is only logged. */
  async discard(storageKey: string): Promise<void> {
    const { storage, log } = this.#deps;
    await storage.delete(storageKey).catch((error: unknown) => {
      log.error({ err: error, storageKey }, 'cannot delete an image that no avatar uses');
    });
  }
}
