import type { OutgoingMail } from '../../../adapters/mail/mail-transport.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { MailRow } from '../../../entities/mail/mail.entity.ts';
import type { EmailPreferencesService } from '../email-preferences-service.ts';
import type { MailContent } from '../mail-content.ts';
import { isMailCategory, mailKinds, type MailTemplate } from './mail-templates.ts';
import { renderMail } from './render-mail.ts';

export interface ComposeDeps {
  preferences: EmailPreferencesService;
  settings: Pick<Settings, 'baseUrl' | 'mailFrom'>;
}

/**
 * Builds the message of a queued email. Every call gives the same Message-ID, so that mail servers recognize a
 * repeated delivery.
 */
export function composeMail(
  { id, userId, template, createdAt }: Pick<MailRow, 'id' | 'userId' | 'template' | 'createdAt'>,
  { to, values, calendar }: MailContent,
  deps: ComposeDeps,
): OutgoingMail {
  const { headers, links } = buildUnsubscribeLinks(userId, template as MailTemplate, deps);
  return {
    messageId: `${id}@${parseDomain(deps.settings.mailFrom)}`,
    to,
    date: createdAt,
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    ...(calendar && { calendar }),
    ...renderMail(template as MailTemplate, { ...values, ...links }),
  };
}

/**
 * Builds the unsubscribe header, which works with one click (RFC 8058), and the link to a page that asks for
 * confirmation.
 */
function buildUnsubscribeLinks(
  userId: string | null,
  template: MailTemplate,
  { preferences, settings: { baseUrl } }: ComposeDeps,
): { headers: Record<string, string>; links: Record<string, string> } {
  const category = mailKinds[template];
  if (userId === null || !isMailCategory(category)) return { headers: {}, links: {} };
  const token = preferences.signUnsubscribeToken({ userId, category });
  return {
    headers: {
      'List-Unsubscribe': `<${baseUrl}/api/email-preferences/unsubscribe/${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    links: { unsubscribeLink: `${baseUrl}/unsubscribe/${token}` },
  };
}

function parseDomain(mailFrom: string): string {
  const [, domain = 'localhost'] = /@([^\s>@]+)>?\s*$/.exec(mailFrom) ?? [];
  return domain;
}
