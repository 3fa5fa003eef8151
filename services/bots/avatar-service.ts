import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { drawAvatar, type AvatarImage } from '../../adapters/images/avatar-image.ts';
import {
  ObjectMissingError,
  type ObjectStorage,
  type OpenedObject,
} from '../../adapters/storage/object-storage.ts';
import { notFound } from '../../core/errors/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Avatar } from '../../entities/bots/avatar.entity.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { AvatarRepository } from '../../repositories/bots/avatar.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import { deleteFileWorkflowId } from '../../core/workflows/commands.ts';
import { avatarKey, type DocumentPlace } from '../../core/storage-keys.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';

type Theme = Record<string, unknown>;
type AvatarPlace = Pick<DocumentPlace, 'orgId' | 'botId'>;

/** The path of every image. */
const ASSETS = '/api/public/assets/';

/** The id of the image that a theme shows, if it is one of Parley's. */
export function avatarIdOf({ avatar_url: url }: Theme): string | null {
  const id = typeof url === 'string' ? url.split('/').at(-1)! : '';
  return isUuid(id) ? id.toLowerCase() : null;
}

/** An image on its way in, whole once `fields` has been waited for. */
export interface AvatarUpload {
  file: { content: Readable };
  fields(): Promise<object>;
}

/** An avatar whose image is stored already; `discard` removes that again. */
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

/** The images that bots show themselves with. */
export class AvatarService {
  readonly #deps: AvatarServiceDeps;

  constructor(deps: AvatarServiceDeps) {
    this.#deps = deps;
  }

  /** Stores the image, drawn anew. @throws AppError like `drawAvatar`, and what the upload fails with */
  async receive(scope: OrgScope, botId: string, { file, fields }: AvatarUpload): Promise<ReceivedAvatar> {
    const { bots } = this.#deps;
    const received = await buffer(file.content);
    await fields();
    await bots.get(scope, botId);
    const avatar = await this.store({ orgId: scope.orgId, botId }, await drawAvatar(received));
    return {
      avatar,
      fingerprint: { sha256: createHash('sha256').update(received).digest('hex') },
      discard: () => this.discard(avatar.storageKey),
    };
  }

  /** Stores an image for a bot, which need not be there yet. */
  async store(place: AvatarPlace, { content, mimeType }: AvatarImage): Promise<ReceivedAvatar['avatar']> {
    return this.#put(place, mimeType, Readable.from([content]));
  }

  /** Points the bot's theme at the image, instead of the one before, whose file is removed afterwards unless a version shows it. */
  publish(scope: OrgScope, { avatar }: ReceivedAvatar): Promise<Bot> {
    const { bots, avatars } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const { id, widgetTheme } = await bots.lock(inside, avatar.botId);
      await avatars.insert(inside, avatar);
      await bots.update(inside, id, {
        widgetTheme: { ...widgetTheme, avatar_url: this.urlOf(avatar.id) },
        updatedAt: () => 'now()',
      });
      await this.removeUnshown(inside, id);
      return bots.get(inside, id);
    });
  }

  /** @throws AppError `not_found` unless a bot shows itself with it now */
  async open(db: Database, id: string): Promise<OpenedAvatar> {
    const avatar = await this.#deps.avatars.findPublished(db, id);
    if (!avatar) throw notFound('image');
    try {
      const { content, sizeBytes } = await this.#deps.storage.open(avatar.storageKey);
      return { content, sizeBytes, mimeType: avatar.mimeType };
    } catch (error) {
      throw error instanceof ObjectMissingError ? notFound('image') : error;
    }
  }

  /** Where everybody finds it. */
  urlOf(avatarId: string): string {
    return `${this.#deps.baseUrl}${ASSETS}${avatarId}`;
  }

  /** The theme, without the address of an image here that the workspace does not have. */
  async withKnownImage(scope: OrgScope, theme: Theme): Promise<Theme> {
    const id = avatarIdOf(theme);
    return id !== null && (await this.#deps.avatars.find(scope, id)) ? theme : this.withoutImage(theme);
  }

  /** The theme, without the address of any image here. */
  withoutImage(theme: Theme): Theme {
    const { avatar_url: url, ...others } = theme;
    return typeof url === 'string' && url.startsWith(this.urlOf('')) ? others : theme;
  }

  /**
   * Stores the image that the bot shows once more, for another one; null where it shows none of its workspace.
   * @param target the other bot, which need not be there yet
   */
  async copyFile(scope: OrgScope, bot: Bot, target: AvatarPlace): Promise<ReceivedAvatar['avatar'] | null> {
    const { avatars, storage } = this.#deps;
    const shownId = avatarIdOf(bot.widgetTheme);
    const shown = shownId === null ? null : await avatars.find(scope, shownId);
    if (!shown) return null;
    try {
      const { content } = await storage.open(shown.storageKey);
      return await this.#put(target, shown.mimeType, content);
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }

  async #put(place: AvatarPlace, mimeType: string, content: Readable): Promise<ReceivedAvatar['avatar']> {
    const id = newId();
    const storageKey = avatarKey(place, id);
    const { sizeBytes } = await this.#deps.storage.put(storageKey, content);
    return { id, botId: place.botId, mimeType, sizeBytes, storageKey };
  }

  /** Removes the images of a bot that neither it nor any of its versions shows, and afterwards their files. */
  async removeUnshown(scope: OrgScope, botId: string): Promise<void> {
    const { avatars, outbox } = this.#deps;
    for (const { id, storageKey } of await avatars.listUnshown(scope, botId)) {
      await avatars.delete(scope, id);
      await outbox.command(scope, {
        workflow: 'deleteFile',
        action: 'start',
        workflowId: deleteFileWorkflowId(id),
        args: [{ orgId: scope.orgId, botId, storageKey }],
        summary: 'Remove an avatar that was replaced',
      });
    }
  }

  /** Removes a file that no row has come to be about. */
  async discard(storageKey: string): Promise<void> {
    const { storage, log } = this.#deps;
    await storage.delete(storageKey).catch((error: unknown) => {
      log.error({ err: error, storageKey }, 'an image without an avatar was not removed');
    });
  }
}
