import { IsNull } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { insertOrIgnore } from '../../database/returning.ts';
import { VisitorConsent } from '../../entities/contacts/visitor-consent.entity.ts';
import { hasRefused, type Conversation } from '../../entities/conversations/conversation.entity.ts';
import { whereVisitor, type Browser, type VisitorOfBot } from './visitor.ts';

/** Stores visitors' decisions about consent to the storage of personal data. */
export class ConsentRepository {
  /**
   * Stores the decision about consent that a visitor made in a conversation, which the caller has locked. The
   * decision remains when the conversation is deleted.
   */
  async upsert(
    { db, orgId }: OrgScope,
    { id, botId, browserId, contactId }: Conversation,
    consent: VisitorConsent['consent'],
  ): Promise<void> {
    const consents = db.repository(VisitorConsent);
    const { affected } = await consents.update({ id, orgId }, { consent, saidAt: () => 'now()' });
    if (affected === 0) await insertOrIgnore(consents, { id, orgId, botId, browserId, contactId, consent });
  }

  /**
   * Assigns an anonymous visitor's decisions about consent to the contact that the visitor is verified as.
   */
  async updateContact(
    { db, orgId }: OrgScope,
    { botId, browserId }: Browser,
    contactId: string,
  ): Promise<void> {
    const anonymous = { orgId, botId, browserId, contactId: IsNull() };
    await db.repository(VisitorConsent).update(anonymous, { contactId });
  }

  async delete({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<void> {
    await db.repository(VisitorConsent).delete({ orgId, ...whereVisitor(visitor) });
  }

  /** Returns whether the visitor's latest decision about consent, in any conversation, is a refusal. */
  async hasRefused({ db, orgId }: OrgScope, visitor: VisitorOfBot): Promise<boolean> {
    const latest = await db.repository(VisitorConsent).findOne({
      where: { orgId, ...whereVisitor(visitor) },
      order: { saidAt: 'DESC', id: 'DESC' },
    });
    return latest !== null && hasRefused(latest.consent);
  }
}
