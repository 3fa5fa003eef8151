import type { Keyring } from '../../adapters/keys/keyring.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { MailRepository } from '../../repositories/mail/mail.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import { emailWorkflowId } from '../../core/workflows/commands.ts';
import { NO_WORKSPACE, type OutboxService } from '../outbox/outbox-service.ts';
import { sealMail } from './mail-content.ts';
import { contentMails, type Mail } from './rendering/mail-templates.ts';
import { toMailValues } from './rendering/mail-values.ts';

export interface MailServiceDeps {
  mails: MailRepository;
  orgs: Pick<OrgRepository, 'getSettings'>;
  outbox: OutboxService;
  keyring: Keyring;
}

/** Queues emails, which are sent after the caller's transaction commits. */
export class MailService {
  readonly #deps: MailServiceDeps;

  constructor(deps: MailServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `key_unavailable` if the email contains visitors' content and must therefore be
   * encrypted
   */
  async send(db: Database, mail: Mail): Promise<void> {
    const { to, userId, orgId, template, data, secretDigest, calendar, key } = mail;
    const id = newId();
    const { mails, orgs, outbox, keyring } = this.#deps;
    const hasTime = Object.values(data).some((value) => value instanceof Date);
    const { time_zone: timeZone } =
      hasTime && orgId !== undefined ? await orgs.getSettings({ db, orgId }) : {};
    const values = toMailValues(data, timeZone);
    const content = sealMail(keyring, id, { to, values, secretDigest, calendar });
    const row = { id, template, content, userId: userId ?? null, key: key ?? null };
    const isNew =
      orgId !== undefined && contentMails.includes(template)
        ? await mails.insertWithContent(db, { ...row, orgId })
        : await mails.insert(db, { ...row, orgId: orgId ?? null });
    if (!isNew) return;
    await outbox.command(
      { orgId: orgId ?? NO_WORKSPACE, db },
      {
        workflow: 'sendEmail',
        action: 'start',
        workflowId: emailWorkflowId(id),
        args: [{ mailId: id, template, ...(orgId !== undefined && { orgId }) }],
        summary: `Send the email ${template}`,
      },
    );
  }
}
