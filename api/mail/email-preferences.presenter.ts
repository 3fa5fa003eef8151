import type { EmailPreferences } from '../../services/mail/email-preferences-service.ts';
import {
  mailCategories,
  sentCategories,
  type MailCategory,
} from '../../services/mail/rendering/mail-templates.ts';

const descriptions = Object.entries(mailCategories) as [MailCategory, string][];

export function presentEmailPreferences(preferences: EmailPreferences) {
  return {
    categories: descriptions.map(([category, description]) => ({
      category,
      description,
      enabled: preferences[category],
      is_sent: sentCategories.has(category),
    })),
  };
}
