import type { Keyring } from '../../adapters/keys/keyring.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../entities/database.ts';
import { emailWorkflowId } from '../../workflows/shared/commands.ts';
import { NO_WORKSPACE, type OutboxService } from '../outbox.service.ts';
import { sealMail } from './mail-content.ts';
import type { Mail } from './mail-templates.ts';
import { toMailValues } from './mail-values.ts';

export interface MailServiceDeps {
  outbox: OutboxService;
  keyring: Keyring;
}

/** Queues mail, which goes out after the caller's transaction has committed. */
export class MailService {
  readonly #deps: MailServiceDeps;

  constructor(deps: MailServiceDeps) {
    this.#deps = deps;
  }

  async send(db: Database, { to, userId, orgId, template, data, key }: Mail): Promise<void> {
    const id = newId();
    const content = sealMail(this.#deps.keyring, id, { to, values: toMailValues(data) });
    const queued = await db.sql(
      `INSERT INTO mails (id, org_id, user_id, template, key, content) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING RETURNING id`,
      [id, orgId ?? null, userId ?? null, template, key ?? null, content],
    );
    if (queued.length === 0) return;
    await this.#deps.outbox.command(
      { orgId: orgId ?? NO_WORKSPACE, db },
      {
        workflow: 'sendEmail',
        action: 'start',
        workflowId: emailWorkflowId(id),
        args: [{ mailId: id, template, ...(orgId !== undefined && { orgId }) }],
        summary: `Send the mail ${template}`,
      },
    );
  }
}
