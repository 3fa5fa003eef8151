import type { Language } from '../../../core/languages.ts';

/**
 * Translated footer of emails with product news: why the recipient gets the email, and the text of the
 * unsubscribe link.
 */
export const newsWords: Record<Language, { why: string; turnOff: string }> = {
  en: { why: 'You receive this because you have an account.', turnOff: 'Unsubscribe from product news' },
  de: { why: 'Sie bekommen diese Mail, weil Sie ein Konto haben.', turnOff: 'Mails über Neues abschalten' },
  es: {
    why: 'Recibe este correo porque tiene una cuenta.',
    turnOff: 'Desactivar los correos sobre novedades',
  },
  fr: { why: 'Vous recevez cet e-mail car vous avez un compte.', turnOff: 'Ne plus recevoir de nouveautés' },
  it: { why: 'Riceve questa e-mail perché ha un account.', turnOff: 'Disattiva le e-mail sulle novità' },
  nl: { why: 'U krijgt deze mail omdat u een account hebt.', turnOff: 'Mails over nieuws uitzetten' },
  pt: { why: 'Recebe este e-mail porque tem uma conta.', turnOff: 'Desativar e-mails sobre novidades' },
};
