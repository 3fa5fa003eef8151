import type { Language } from '../../../core/languages.ts';

interface SenderWords {
  /**
   * Phrase that replaces a workspace's rejected name, such as “a business”. The phrase must fit after “with”.
   */
  unnamed: string;
  /** Warning in emails of a workspace without a plan. */
  notice: string;
  /** Text that replaces rejected replies of a team in an email. */
  withheld: string;
}

/** Translated texts about unchecked senders, in emails to people without an account. */
export const senderWords: Record<Language, SenderWords> = {
  en: {
    unnamed: 'a business',
    notice:
      'This email was sent for a workspace that the operator of this service has not checked. Do not give away passwords, codes or payment details because of this email.',
    withheld: 'This answer is not shown in an email. Read it in the conversation.',
  },
  de: {
    unnamed: 'einem Unternehmen',
    notice:
      'Diese Mail wurde für einen Arbeitsbereich gesendet, den der Betreiber dieses Dienstes nicht geprüft hat. Geben Sie ihretwegen keine Passwörter, Codes oder Zahlungsdaten preis.',
    withheld: 'Diese Antwort wird nicht per Mail gezeigt. Lesen Sie sie im Gespräch.',
  },
  es: {
    unnamed: 'una empresa',
    notice:
      'Este correo se envió para un espacio de trabajo que el operador de este servicio no ha comprobado. No dé contraseñas, códigos ni datos de pago por él.',
    withheld: 'Esta respuesta no se muestra por correo. Léala en la conversación.',
  },
  fr: {
    unnamed: 'une entreprise',
    notice:
      'Cet e-mail a été envoyé pour un espace de travail que l’exploitant de ce service n’a pas vérifié. Ne communiquez ni mot de passe, ni code, ni données de paiement en réponse à cet e-mail.',
    withheld: 'Cette réponse n’est pas affichée dans un e-mail. Lisez-la dans la conversation.',
  },
  it: {
    unnamed: 'un’azienda',
    notice:
      'Questa e-mail è stata inviata per uno spazio di lavoro che il gestore di questo servizio non ha verificato. Non comunichi password, codici o dati di pagamento a causa di essa.',
    withheld: 'Questa risposta non viene mostrata via e-mail. La legga nella conversazione.',
  },
  nl: {
    unnamed: 'een bedrijf',
    notice:
      'Deze mail is verstuurd voor een werkruimte die de beheerder van deze dienst niet heeft gecontroleerd. Geef er geen wachtwoorden, codes of betaalgegevens om.',
    withheld: 'Dit antwoord wordt niet per mail getoond. Lees het in het gesprek.',
  },
  pt: {
    unnamed: 'uma empresa',
    notice:
      'Este e-mail foi enviado para um espaço de trabalho que o operador deste serviço não verificou. Não forneça palavras-passe, códigos ou dados de pagamento por causa dele.',
    withheld: 'Esta resposta não é mostrada por e-mail. Leia-a na conversa.',
  },
};
