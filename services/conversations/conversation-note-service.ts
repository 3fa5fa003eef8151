import { AppError, invalidField, notFound } from '../../core/errors/errors.ts';
import { buildConsoleLink } from '../../core/console-link.ts';
import { isUuid, newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { requireVisible } from '../../core/text/visible-text.ts';
import { lockName } from '../../database/advisory-lock.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { readPage, type CursorSigner, type Page, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { User } from '../../entities/accounts/user.entity.ts';
import type { ConversationNote } from '../../entities/conversations/conversation-note.entity.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { ConversationNoteRepository } from '../../repositories/conversations/conversation-note.repository.ts';
import type { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import type { MailRepository } from '../../repositories/mail/mail.repository.ts';
import type { NoticeRepository } from '../../repositories/mail/notice.repository.ts';
import type { MemberRepository, Profile } from '../../repositories/team/member.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { MemberScope } from '../team/member-scope.ts';
import { hasRole } from '../team/roles.ts';

const MAX_NOTES = 500;

/** A team member's note about a conversation, with the account of its author. */
export interface AuthoredNote {
  note: Opened<ConversationNote>;
  /** Author of the note; null once the author's account is deleted. */
  author: Profile | null;
}

/** Fields of a note about a conversation in an API request. */
export interface NoteInput {
  text: string;
  /** User ids of members. */
  mentions: readonly string[];
}

export interface ConversationNoteServiceDeps {
  notes: ConversationNoteRepository;
  conversations: ConversationRepository;
  members: MemberRepository;
  notices: Pick<NoticeRepository, 'getOrgName'>;
  mail: MailService;
  mails: Pick<MailRepository, 'countLastDayForReader'>;
  keyring: CursorSigner;
  settings: Pick<Settings, 'baseUrl' | 'noticeMailsPerDay'>;
}

/** Manages the team's notes about a conversation, which only members of the workspace can read. */
export class ConversationNoteService {
  readonly #deps: ConversationNoteServiceDeps;

  constructor(deps: ConversationNoteServiceDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `forbidden` or `not_found` for the id of the conversation */
  async list(scope: OrgScope, conversationId: string, page: PageQuery): Promise<Page<AuthoredNote>> {
    const { notes, conversations, keyring } = this.#deps;
    await conversations.get(scope, conversationId);
    const notePage = await readPage(notes.queryNotes({ ...scope, conversationId }), page, keyring);
    return { ...notePage, items: await this.#withAuthors(scope, await notes.openAll(scope, notePage.items)) };
  }

  /**
   * Creates a note about a conversation, and informs the mentioned members by email, except the note's
   * author.
   * @throws AppError `forbidden` or `not_found` for the conversation; `conflict` if it has too many notes;
   *   `validation_error` for an invisible text, and if a mentioned person is not a member
   */
  create(scope: MemberScope, conversationId: string, { text, mentions }: NoteInput): Promise<AuthoredNote> {
    requireVisible(text, 'text');
    return inTransaction(scope, async (tx) => {
      const { notes, conversations } = this.#deps;
      const conversationScope = { ...tx, conversationId };
      await conversations.lock(tx, conversationId);
      if ((await notes.countAll(conversationScope)) >= MAX_NOTES)
        throw new AppError(
          'conflict',
          `A conversation can have at most ${MAX_NOTES} notes; delete one first.`,
        );
      const mentionedIds = mentions.map((id) => id.toLowerCase());
      const mentioned = await this.#requireMembers(tx, mentionedIds);
      const row = { id: newId(), conversationId, authorId: scope.userId, text, mentionedIds };
      const note = await notes.insert(tx, row);
      const [authored] = await this.#withAuthors(tx, [note]);
      await this.#mailMentions(tx, authored!, mentioned);
      await notes.notifyStreams(conversationScope);
      return authored!;
    });
  }

  /**
   * Deletes a note.
   * @throws AppError `forbidden` or `not_found` for conversation and note; `forbidden` if the caller is
   *   neither the note's author nor an admin
   */
  delete(scope: MemberScope & { role: OrgRole }, conversationId: string, noteId: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { notes, conversations } = this.#deps;
      const conversationScope = { ...tx, conversationId };
      await conversations.get(tx, conversationId);
      const note = await notes.getInConversation(conversationScope, noteId);
      if (note.authorId !== scope.userId && !hasRole(scope.role, 'admin'))
        throw new AppError('forbidden', 'Only the author and admins may delete a note.');
      if (!(await notes.delete(tx, noteId))) throw notFound('note');
      await notes.notifyStreams(conversationScope);
    });
  }

  /** @throws AppError `validation_error` for the first id that is not the id of a member */
  async #requireMembers(scope: OrgScope, ids: readonly string[]): Promise<User[]> {
    if (ids.length === 0) return [];
    const accounts = await this.#deps.members.listAccounts(scope, ids.filter(isUuid));
    const foundIds = new Set(accounts.map(({ id }) => id));
    const missingIndex = ids.findIndex((id) => !foundIds.has(id));
    if (missingIndex >= 0)
      throw invalidField(`mentions[${missingIndex}]`, 'is not a member of this workspace');
    return accounts;
  }

  async #mailMentions(tx: OrgScope, { note, author }: AuthoredNote, mentioned: readonly User[]) {
    const { notices, mail, settings } = this.#deps;
    const { noticeMailsPerDay: max } = settings;
    const readers = mentioned.filter(
      ({ id, emailVerifiedAt }) => id !== note.authorId && emailVerifiedAt !== null,
    );
    if (readers.length === 0) return;
    const link = buildConsoleLink(settings.baseUrl, tx.orgId, ['conversations', note.conversationId]);
    const orgName = await notices.getOrgName(tx);
    const data = { orgName, authorName: author?.fullName ?? 'A colleague', link };
    // The lock makes concurrent callers wait until this transaction has counted its emails about notes.
    await lockName(tx.db, `note_mention mails ${tx.orgId}`);
    for (const { id: userId, email } of readers) {
      const mailsToday = await this.#deps.mails.countLastDayForReader(tx, userId, ['note_mention']);
      if (mailsToday >= max) continue;
      const closing = mailsToday === max - 1 ? composeClosing(max) : '';
      await mail.send(tx.db, {
        template: 'note_mention',
        data: { ...data, closing },
        to: email,
        userId,
        orgId: tx.orgId,
        key: `note-mention/${note.conversationId}/${note.id}/${userId}`,
      });
    }
  }

  async #withAuthors({ db }: OrgScope, notes: readonly Opened<ConversationNote>[]): Promise<AuthoredNote[]> {
    const authorIds = new Set(notes.flatMap(({ authorId }) => authorId ?? []));
    const authors = await this.#deps.members.listProfiles(db, [...authorIds]);
    return notes.map((note) => ({ note, author: authors.get(note.authorId ?? '') ?? null }));
  }
}

function composeClosing(max: number): string {
  return `You have received ${max} emails about notes within a day. No more of these emails are sent until you are below this limit again; the conversations show all notes.`;
}
