import type { Settings } from '../../core/settings.ts';
import type { Database } from '../../entities/database.ts';
import type { OrgRole } from '../../entities/membership.entity.ts';
import type { NoticeRepository } from '../../repositories/notice.repository.ts';
import { inTransaction, type OrgScope } from '../../repositories/org-scope.ts';
import type {
  NotifyHandoffInput,
  NotifyLeadInput,
  NotifyWebhookDisabledInput,
} from '../../workflows/shared/commands.ts';
import type { MailService } from './mail.service.ts';
import type { Mail } from './mail-templates.ts';

type Notice = Extract<Mail, { userId: string }>;
/** What a mail says, without whom it is for. */
type Said<M = Notice> = M extends Notice ? Pick<M, 'template' | 'data'> : never;

const ADMINS: readonly OrgRole[] = ['owner', 'admin'];
/** Who may answer conversations. */
const AGENTS: readonly OrgRole[] = ['owner', 'admin', 'member'];

export interface TeamNoticesDeps {
  notices: NoticeRepository;
  mail: MailService;
  settings: Pick<Settings, 'baseUrl'>;
}

/**
 * Mail to the people of a workspace about what happened there. Each answers how many it is for; done again with the same
 * key, it sends nothing more.
 */
export class TeamNotices {
  readonly #deps: TeamNoticesDeps;

  constructor(deps: TeamNoticesDeps) {
    this.#deps = deps;
  }

  async webhookDisabled(db: Database, { orgId, endpointId }: NotifyWebhookDisabledInput, key: string) {
    const scope = { orgId, db };
    const facts = await this.#deps.notices.disabledWebhook(scope, endpointId);
    if (!facts) return 0;
    return this.#tell(scope, ADMINS, key, {
      template: 'webhook_disabled',
      data: { ...facts, link: this.#link },
    });
  }

  async handoffRequested(db: Database, { orgId, conversationId }: NotifyHandoffInput, key: string) {
    const scope = { orgId, db };
    const facts = await this.#deps.notices.waitingConversation(scope, conversationId);
    if (!facts) return 0;
    return this.#tell(scope, AGENTS, key, {
      template: 'handoff_requested',
      data: { ...facts, link: this.#link },
    });
  }

  async leadCaptured(db: Database, { orgId, contactId }: NotifyLeadInput, key: string) {
    const scope = { orgId, db };
    const facts = await this.#deps.notices.lead(scope, contactId);
    if (!facts) return 0;
    return this.#tell(scope, AGENTS, key, {
      template: 'lead_captured',
      data: { ...facts, link: this.#link },
    });
  }

  get #link(): string {
    return `${this.#deps.settings.baseUrl}/console`;
  }

  #tell(scope: OrgScope, roles: readonly OrgRole[], key: string, said: Said): Promise<number> {
    const { notices, mail } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const readers = await notices.readers(tx, roles);
      for (const { userId, email } of readers) {
        const mailOf = { ...said, to: email, userId, orgId: tx.orgId, key: `${key}/${userId}` };
        await mail.send(tx.db, mailOf);
      }
      return readers.length;
    });
  }
}
