import type { Database } from '../../database/database.ts';
import type { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import type { SignInCodeRepository } from '../../repositories/accounts/sign-in-code.repository.ts';
import type { InvitationRepository } from '../../repositories/team/invitation.repository.ts';
import { hasValidLinks } from '../team/invitation-rules.ts';
import type { MailContent } from './mail-content.ts';
import type { MailTemplate } from './rendering/mail-templates.ts';

export interface MailedSecretsDeps {
  links: AccountLinkRepository;
  codes: SignInCodeRepository;
  invitations: InvitationRepository;
}

/** Checks whether the links and codes in queued emails are still valid. */
export class MailedSecrets {
  readonly #deps: MailedSecretsDeps;

  constructor(deps: MailedSecretsDeps) {
    this.#deps = deps;
  }

  /** Returns whether the email's link or code is still valid; true for an email without a link or code. */
  async areValid(db: Database, template: MailTemplate, { secretDigest }: MailContent): Promise<boolean> {
    const { links, codes, invitations } = this.#deps;
    if (secretDigest === undefined) return true;
    if (template === 'verify_email' || template === 'reset_password')
      return (await links.findAccount(db, secretDigest, template)) !== null;
    if (template === 'invitation' || template === 'invitation_reminder') {
      const invitation = await invitations.findByDigest(db, secretDigest);
      return invitation !== null && hasValidLinks(invitation);
    }
    const isCode = template === 'sign_in_code' || template === 'identity_code';
    return !isCode || codes.exists(db, secretDigest);
  }
}
