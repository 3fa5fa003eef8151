import { setTimeout as sleep } from 'node:timers/promises';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError, isKeyUnavailable } from '../../core/errors/errors.ts';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import { toVisitor } from '../../repositories/contacts/visitor.ts';
import type { ToolInvocationRepository } from '../../repositories/mcp/tool-invocation.repository.ts';
import type { ErasureRepository } from '../../repositories/contacts/erasure.repository.ts';
import {
  buildResponseContext,
  type IdempotencyRepository,
} from '../../repositories/requests/idempotency.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { eraseContactWorkflowId } from '../../core/workflows/commands.ts';
import { lockArchives, type ErasedPeople } from '../archive/erased-people.ts';
import type { BookingErasure } from '../bookings/booking-erasure.ts';
import type { ConversationFileRemoval } from '../conversations/files/conversation-file-removal.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { SealedResponse } from '../../repositories/contacts/erasure.sql.ts';
import { CLEARED_COLUMNS } from './contact-changes.ts';

const CONVERSATION_BATCH = 500;
const BUSY_PAUSE_MS = 200;
/** UUID that sorts before all other ids, from which a search by id starts. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Columns of a contact that keep their values when it is erased, until the workflow deletes its row. */
type KeptColumn =
  | 'id'
  | 'orgId'
  | 'botId'
  | 'browserId'
  | 'firstSeenAt'
  | 'createdAt'
  | 'deletedAt'
  | 'formerIds'
  | 'keyId';

/** Column values of an erased contact. The row stays until a workflow has erased all copies. */
const ERASED_VALUES: Omit<Opened<Contact>, KeptColumn> = {
  ...CLEARED_COLUMNS,
  visitorId: '',
  identity: null,
  tags: [],
  removedFields: [],
};

export interface ErasureServiceDeps {
  bookings: BookingErasure;
  contacts: ContactRepository;
  fileRemoval: Pick<ConversationFileRemoval, 'deleteConversations'>;
  erasure: ErasureRepository;
  responses: IdempotencyRepository;
  toolInvocations: Pick<ToolInvocationRepository, 'clearConversationQueries'>;
  erased: ErasedPeople;
  archiveJobs: ArchiveJobRepository;
  outbox: OutboxService;
  keyring: Keyring;
}

/** Erases contacts and their data. Visible data is erased at once; a workflow then erases every copy. */
export class ErasureService {
  readonly #deps: ErasureServiceDeps;

  constructor(deps: ErasureServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Deletes the contact's conversations, cancels its upcoming meetings and hides the contact. The workflow
   * `eraseContact` then erases the copies. Locks the workspace's archives, then identities, conversations,
   * contacts, bookings and bots.
   * @throws AppError `conflict` while the contact is being merged; `not_found`
   */
  async erase(scope: OrgScope, contactId: string): Promise<void> {
    const { bookings, contacts, outbox } = this.#deps;
    await lockArchives(scope.db, scope.orgId);
    const unlocked = await contacts.get(scope, contactId);
    if (unlocked.identity !== null) await contacts.lockIdentity(scope, unlocked.identity);
    const conversationIds = await contacts.conversations.lock(scope, toVisitor(unlocked));
    const contact = await this.#lock(scope, unlocked);
    const bookingIds = await bookings.erase(scope, contactId, conversationIds);
    const replyIds = await this.#removeConversations(scope, conversationIds);
    await contacts.consents.delete(scope, toVisitor(unlocked));
    const deleted = await contacts.conversations.deleteTombstones(scope, toVisitor(unlocked));
    const seenAt = [contact.firstSeenAt, ...deleted.map(({ beganAt }) => beganAt)];
    await contacts.update(scope, contactId, {
      ...ERASED_VALUES,
      deletedAt: () => 'now()',
      firstSeenAt: new Date(Math.min(...seenAt.map((time) => time.getTime()))),
      formerIds: [
        ...contact.formerIds,
        ...bookingIds,
        ...replyIds,
        ...deleted.flatMap(({ id, replyIds: ids }) => [id, ...ids]),
      ],
    });
    await this.#excludeFromArchives(scope, contact, [...conversationIds, ...deleted.map(({ id }) => id)]);
    await outbox.command(scope, {
      workflow: 'eraseContact',
      action: 'start',
      workflowId: eraseContactWorkflowId(contactId),
      args: [{ orgId: scope.orgId, contactId }],
      summary: 'Remove all copies of an erased contact',
    });
  }

  /**
   * Deletes queued events, emails and alerts about the erased contact, and removes its ids from the audit
   * log.
   */
  async removeEvents(scope: OrgScope, contactId: string): Promise<void> {
    const { erasure } = this.#deps;
    const erased = await erasure.find(scope, contactId);
    if (!erased) return;
    await erasure.deleteEvents(scope, erased.ids);
    await erasure.deleteEmails(scope, erased.ids);
    await inTransaction(scope, (tx) => erasure.deleteAlerts(tx, erased));
    await erasure.anonymizeAuditLog(scope, erased.ids);
  }

  /**
   * Deletes webhook deliveries about the erased contact, both sent and unsent.
   * @throws the abort reason of `signal`
   */
  async removeDeliveries(scope: OrgScope, contactId: string, signal: AbortSignal): Promise<void> {
    const { erasure } = this.#deps;
    const erased = await erasure.find(scope, contactId);
    if (!erased) return;
    for (let position = { id: NIL_UUID, createdAt: erased.firstSeenAt }; ;) {
      signal.throwIfAborted();
      const { next, isBusy } = await erasure.deleteDeliveries(scope, erased.ids, position);
      if (isBusy) await sleep(BUSY_PAUSE_MS, undefined, { signal });
      else if (next) position = next;
      else return;
    }
  }

  /**
   * Deletes stored API responses that mention the erased contact or belong to its visitor sessions, and the
   * sessions' rate limit counters. Responses are stored for idempotency keys. Clears the arguments of MCP
   * calls that read conversations since the contact's first visit.
   * @throws the abort reason of `signal`; AppError `key_unavailable`
   */
  async removeResponses(scope: OrgScope, contactId: string, signal: AbortSignal): Promise<void> {
    const { erasure, toolInvocations } = this.#deps;
    const erased = await erasure.find(scope, contactId);
    if (!erased) return;
    await erasure.deleteResponsesAndCounters(scope, erased.ids);
    const ids = new Set(erased.ids);
    for (let last = { principal: '', key: '' }; ;) {
      signal.throwIfAborted();
      const responses = await erasure.listResponses(scope, last);
      const matches = await Promise.all(
        responses.map((response) => this.#mentionsContact(scope, response, ids)),
      );
      const affected = responses.filter((_, index) => matches[index]);
      if (affected.length > 0) await erasure.deleteResponses(scope, affected);
      const end = responses.at(-1);
      if (!end) break;
      last = end;
    }
    await toolInvocations.clearConversationQueries(scope, erased.firstSeenAt);
  }

  /** Deletes the erased contact's row. Call this last, since the other steps read the row. */
  removeContact(scope: OrgScope, contactId: string): Promise<void> {
    return this.#deps.erasure.deleteContact(scope, contactId);
  }

  /** Marks the contact as erased, so that imports do not restore it. Existing exports become invalid. */
  async #excludeFromArchives(
    scope: OrgScope,
    contact: Contact,
    conversationIds: readonly string[],
  ): Promise<void> {
    const { erased, archiveJobs } = this.#deps;
    const { id, formerIds, identity, botId, browserId } = contact;
    const ids = [id, ...formerIds, ...conversationIds];
    await erased.record(scope, { ids, identity, browser: identity === null ? { botId, browserId } : null });
    await archiveJobs.invalidateExports(scope);
  }

  async #lock(scope: OrgScope, { id, identity }: Contact): Promise<Contact> {
    const { contacts } = this.#deps;
    const contact = await contacts.findLocked(scope, id);
    if (contact?.identity === identity) return contact;
    if (contact || (await contacts.isMerged(scope, id)))
      throw new AppError(
        'conflict',
        'The contact is being merged with another contact; find it again, then retry.',
      );
    return contacts.throwMissing(scope, id);
  }

  /**
   * Deletes conversations of an erased contact and returns the ids of agents' replies. Messages are deleted
   * first, so that the bots' rows are locked only briefly.
   */
  async #removeConversations(scope: OrgScope, ids: string[]): Promise<string[]> {
    const { fileRemoval, erasure } = this.#deps;
    const batches = Array.from({ length: Math.ceil(ids.length / CONVERSATION_BATCH) }, (_, index) =>
      ids.slice(index * CONVERSATION_BATCH, (index + 1) * CONVERSATION_BATCH),
    );
    const replyIds: string[] = [];
    for (const batch of batches) replyIds.push(...(await erasure.deleteMessages(scope, batch)));
    for (const batch of batches) await fileRemoval.deleteConversations(scope, batch);
    return replyIds;
  }

  /**
   * Returns true if a stored API response mentions one of the ids, or if the response cannot be decrypted
   * because its key is unavailable. Returns false if the response's master key was replaced, since no process
   * can decrypt the response.
   */
  async #mentionsContact(
    scope: OrgScope,
    response: SealedResponse,
    ids: ReadonlySet<string>,
  ): Promise<boolean> {
    const { responses, keyring } = this.#deps;
    try {
      const body = keyring.open(await responses.openBody(scope.db, response), buildResponseContext(response));
      return (body.match(uuids) ?? []).some((id) => ids.has(id));
    } catch (error) {
      if (error instanceof UndecryptableValue) return false;
      if (isKeyUnavailable(error)) return true;
      throw error;
    }
  }
}
