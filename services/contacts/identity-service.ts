import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { VisitorContacts } from '../../repositories/contacts/contact.repository.ts';
import type { Browser } from '../../repositories/contacts/visitor.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import {
  changeContact,
  CLEARED_CONTACT,
  storeChanges,
  type ContactChangeDeps,
  type ContactChanges,
} from './contact-changes.ts';
import { mergeFittingFields } from './custom-field-limit.ts';
import { readIdentityToken, type Identity } from './identity-token.ts';

/** The bot's columns that determine which secrets for identity tokens are valid. */
export type SigningBot = Pick<Bot, 'id' | 'identitySecretVersion' | 'formerIdentitySecretUntil'>;

/** A visitor with an identity token of the workspace's server, and the visitor's browser. */
export interface IdentifiedVisitor extends Browser {
  visitorId: string;
  identity: Identity;
  country: string | null;
}

export interface IdentityServiceDeps extends ContactChangeDeps {
  bookings: BookingRepository;
  keyring: Keyring;
  clock: Clock;
}

/** Identifies visitors by identity tokens that the workspace's own server has signed. */
export class IdentityService {
  readonly #deps: IdentityServiceDeps;

  constructor(deps: IdentityServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Verifies the identity token of a visitor.
   * @throws AppError `validation_error` if the token is not valid for this bot
   */
  async verify(bot: SigningBot, token: string): Promise<Identity> {
    const { keyring, clock } = this.#deps;
    const { id, identitySecretVersion: version, formerIdentitySecretUntil: formerUntil } = bot;
    const now = clock.now();
    const verifyWithSecret = (secretVersion: number) =>
      readIdentityToken(token, keyring.deriveIdentitySecret(id, secretVersion), now);
    if (formerUntil === null || formerUntil <= now) return verifyWithSecret(version);
    return verifyWithSecret(version).catch((refusal: unknown) =>
      verifyWithSecret(version - 1).catch(() => {
        throw refusal;
      }),
    );
  }

  /**
   * Returns the id of the contact with the visitor's identity; creates the contact if necessary. Merges the
   * browser's anonymous contact into it. Runs in the caller's transaction, and locks identities,
   * conversations, then contacts.
   */
  async resolveContact(scope: OrgScope, visitor: IdentifiedVisitor): Promise<string> {
    const { contacts } = this.#deps;
    const { subject } = visitor.identity;
    await contacts.lockIdentity(scope, subject);
    const conversationIds = await contacts.conversations.lock(scope, { ...visitor, contactId: null });
    const { verified, anonymous } = await contacts.lockForIdentity(scope, subject, visitor);
    const merged = verified && anonymous;
    const contact = verified ?? anonymous ?? (await this.#insert(scope, visitor));
    const conversationStarts = await contacts.conversations.updateContact(scope, conversationIds, contact.id);
    await contacts.conversations.updateTombstones(scope, visitor, contact.id);
    await contacts.consents.updateContact(scope, visitor, contact.id);
    if (merged) {
      await this.#deps.bookings.updateContact(scope, merged.id, contact.id);
      await contacts.delete(scope, merged.id);
    }
    const seenAt = [
      contact.firstSeenAt,
      ...(anonymous ? [anonymous.firstSeenAt] : []),
      ...conversationStarts,
    ];
    await contacts.update(scope, contact.id, {
      identity: subject,
      ...(merged && {
        formerIds: [...contact.formerIds, ...merged.formerIds, merged.id],
        removedFields: [...new Set([...contact.removedFields, ...merged.removedFields])],
      }),
      firstSeenAt: new Date(Math.min(...seenAt.map((time) => time.getTime()))),
    });
    const isRefused = await contacts.consents.hasRefused(scope, { ...visitor, contactId: contact.id });
    const changes: ContactChanges = isRefused
      ? toChangesAfterRefusal({ verified, anonymous })
      : { ...(merged && mergeContacts(contact, merged)), ...toVouchedChanges(visitor) };
    const now = { ...contact, identity: subject };
    if (verified || anonymous)
      await changeContact(this.#deps, scope, now, changes, { botId: visitor.botId, mergedId: merged?.id });
    else await storeChanges(contacts, scope, now, changes);
    return contact.id;
  }

  #insert(
    scope: OrgScope,
    { botId, browserId, visitorId, identity }: IdentifiedVisitor,
  ): Promise<Opened<Contact>> {
    const identified = { id: newId(), botId, browserId, visitorId, identity: identity.subject };
    return this.#deps.contacts.insert(scope, identified);
  }
}

function toVouchedChanges({ identity: { email }, country }: IdentifiedVisitor): ContactChanges {
  return { ...(email !== null && { email, email_verified: true }), ...(country !== null && { country }) };
}

/**
 * Returns changes to the verified contact when the anonymous visitor has refused consent. The changes only
 * add tags, since members have set these. The verified contact keeps its details: the refusal may have come
 * from another person with the same browser.
 */
function toChangesAfterRefusal({ verified, anonymous }: VisitorContacts): ContactChanges {
  if (!verified) return CLEARED_CONTACT;
  return anonymous ? { tags: mergeTags(verified, anonymous) } : {};
}

/**
 * Fills empty fields of the verified contact with values of the visitor's anonymous contact, whose email
 * address is never verified.
 */
function mergeContacts(
  verified: Opened<Contact>,
  anonymous: Opened<Contact>,
): Required<Omit<ContactChanges, 'email_verified'>> {
  return {
    name: verified.name ?? anonymous.name,
    email: verified.email ?? anonymous.email,
    phone: verified.phone ?? anonymous.phone,
    country: verified.country ?? anonymous.country,
    custom_fields: mergeFittingFields(verified.customFields, pickMissingFields(verified, anonymous)).fields,
    tags: mergeTags(verified, anonymous),
    is_lead: verified.isLead || anonymous.isLead,
  };
}

function pickMissingFields(
  verified: Opened<Contact>,
  anonymous: Opened<Contact>,
): Opened<Contact>['customFields'] {
  return Object.fromEntries(
    Object.entries(anonymous.customFields).filter(([key]) => !Object.hasOwn(verified.customFields, key)),
  );
}

function mergeTags(verified: Pick<Contact, 'tags'>, anonymous: Pick<Contact, 'tags'>): string[] {
  return [...new Set([...verified.tags, ...anonymous.tags])];
}
