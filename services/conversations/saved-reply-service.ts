import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { normalizeText } from '../../core/text/normalize-text.ts';
import { requireVisible } from '../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { readPage, type CursorSigner, type Page, type PageQuery } from '../../database/page.ts';
import { buildTextCondition } from '../../database/text-condition.ts';
import type { SavedReply } from '../../entities/conversations/saved-reply.entity.ts';
import type { SavedReplyRepository } from '../../repositories/conversations/saved-reply.repository.ts';
import type { MemberScope } from '../team/member-scope.ts';

/** Maximum number of a workspace's saved replies. The console loads this many in five pages. */
const MAX_SAVED_REPLIES = 500;

/** Fields of an agent's saved reply in an API request. */
export type SavedReplyInput = Pick<SavedReply, 'name' | 'text'>;

export interface SavedReplyServiceDeps {
  savedReplies: SavedReplyRepository;
  keyring: CursorSigner;
}

/** Manages the texts of a workspace that agents insert into their replies. */
export class SavedReplyService {
  readonly #deps: SavedReplyServiceDeps;

  constructor(deps: SavedReplyServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a page of the workspace's saved replies.
   * @param query `q` is a part of the name or text
   */
  list(scope: OrgScope, { q, ...page }: PageQuery & { q?: string }): Promise<Page<SavedReply>> {
    const { savedReplies, keyring } = this.#deps;
    const query = savedReplies.query(scope);
    if (q !== undefined) {
      const { contains, parameters } = buildTextCondition(q);
      query.andWhere(`(${contains('row.name')} OR ${contains('row.text')})`, parameters);
    }
    return readPage(query, page, keyring);
  }

  /**
   * @throws AppError `conflict` if the name is taken or the workspace has too many saved replies;
   *   `validation_error` for an invisible text
   */
  create(scope: MemberScope, { name, text }: SavedReplyInput): Promise<SavedReply> {
    const changes = { ...toNameChanges(name), ...toTextChanges(text) };
    return inTransaction(scope, async (tx) => {
      const { savedReplies } = this.#deps;
      await savedReplies.lockAll(tx);
      if ((await savedReplies.countAll(tx)) >= MAX_SAVED_REPLIES)
        throw new AppError(
          'conflict',
          `A workspace can have at most ${MAX_SAVED_REPLIES} saved replies; delete one first.`,
        );
      const row = { id: newId(), ...changes };
      await this.#requireFreeName(tx, row);
      return savedReplies.insertWithCommit(tx, { ...row, createdById: scope.userId });
    });
  }

  /**
   * Changes the given fields of a saved reply.
   * @throws AppError `forbidden` or `not_found` for the saved reply; the errors of `create`
   */
  update(scope: OrgScope, id: string, { name, text }: Partial<SavedReplyInput>): Promise<SavedReply> {
    const renamed = name === undefined ? null : toNameChanges(name);
    const changes = { ...renamed, ...(text !== undefined && toTextChanges(text)) };
    return inTransaction(scope, async (tx) => {
      const { savedReplies } = this.#deps;
      await savedReplies.lockAll(tx);
      await savedReplies.lock(tx, id);
      if (renamed) await this.#requireFreeName(tx, { ...renamed, id });
      await savedReplies.update(tx, id, { ...changes, updatedAt: () => 'now()' });
      return savedReplies.get(tx, id);
    });
  }

  /** @throws AppError `forbidden` or `not_found` for the id of the saved reply */
  async delete(scope: OrgScope, id: string): Promise<void> {
    const { savedReplies } = this.#deps;
    if (!(await savedReplies.delete(scope, id))) await savedReplies.throwMissing(scope, id);
  }

  async #requireFreeName(tx: OrgScope, row: Pick<SavedReply, 'id' | 'nameKey'>): Promise<void> {
    if (await this.#deps.savedReplies.hasName(tx, row))
      throw new AppError('conflict', 'Another saved reply already has this name; choose a different name.');
  }
}

function toNameChanges(input: string): Pick<SavedReply, 'name' | 'nameKey'> {
  const name = input.trim();
  // Composes accented letters in the name: depending on the system, people type such a letter as one
  // character or as two.
  return { name, nameKey: normalizeText(name.toLowerCase(), 'NFC', Infinity) };
}

function toTextChanges(text: string): Pick<SavedReply, 'text'> {
  requireVisible(text, 'text');
  return { text };
}
