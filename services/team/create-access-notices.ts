import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { AccessNoticeRepository } from '../../repositories/mail/access-notice.repository.ts';
import { NoticeRepository } from '../../repositories/mail/notice.repository.ts';
import { AccountNotices } from '../accounts/account-notices.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { AccessNotices } from './access-notices.ts';

/**
 * Creates the service that informs owners by email about changes that give lasting access or export content.
 */
export function createAccessNotices(
  { settings, keyring, clock }: ServiceDeps,
  { mail }: { mail: MailService },
) {
  const accountNotices = new AccountNotices({ accounts: new AccountRepository(), mail, settings, clock });
  const notices = new AccessNoticeRepository();
  const readers = new NoticeRepository();
  return {
    accessNotices: new AccessNotices({ notices, readers, accountNotices, mail, keyring, settings, clock }),
  };
}
