import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { drawAvatar } from '../../adapters/images/avatar-image.ts';
import {
  ObjectMissingError,
  type ObjectStorage,
  type OpenedObject,
} from '../../adapters/storage/object-storage.ts';
import { notFound } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Avatar } from '../../entities/bots/avatar.entity.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import type { AvatarRepository } from '../../repositories/bots/avatar.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import { deleteFileWorkflowId } from '../../workflows/shared/commands.ts';
import { avatarKey } from '../knowledge/storage-keys.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';

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
    const { bots, storage } = this.#deps;
    const received = await buffer(file.content);
    await fields();
    await bots.get(scope, botId);
    const { content, mimeType } = await drawAvatar(received);
    const id = newId();
    const storageKey = avatarKey({ orgId: scope.orgId, botId }, id);
    const { sizeBytes } = await storage.put(storageKey, Readable.from([content]));
    return {
      avatar: { id, botId, mimeType, sizeBytes, storageKey },
      fingerprint: { sha256: createHash('sha256').update(received).digest('hex') },
      discard: () => this.#remove(storageKey),
    };
  }

  /** Points the bot's theme at the image, instead of the one before, whose file is removed afterwards. */
  publish(scope: OrgScope, { avatar }: ReceivedAvatar): Promise<Bot> {
    const { bots, avatars, baseUrl } = this.#deps;
    return inTransaction(scope, async (inside) => {
      const { id, widgetTheme } = await bots.lock(inside, avatar.botId);
      await this.#removePresent(inside, id);
      await avatars.insert(inside, avatar);
      await bots.update(inside, id, {
        widgetTheme: { ...widgetTheme, avatar_url: `${baseUrl}/api/public/assets/${avatar.id}` },
        updatedAt: () => 'now()',
      });
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

  async #removePresent(scope: OrgScope, botId: string): Promise<void> {
    const { avatars, outbox } = this.#deps;
    const present = await avatars.findOfBot(scope, botId);
    if (!present) return;
    await avatars.delete(scope, present.id);
    await outbox.command(scope, {
      workflow: 'deleteFile',
      action: 'start',
      workflowId: deleteFileWorkflowId(present.id),
      args: [{ orgId: scope.orgId, botId, storageKey: present.storageKey }],
      summary: 'Remove an avatar that was replaced',
    });
  }

  async #remove(storageKey: string): Promise<void> {
    const { storage, log } = this.#deps;
    await storage.delete(storageKey).catch((error: unknown) => {
      log.error({ err: error, storageKey }, 'an image without an avatar was not removed');
    });
  }
}
