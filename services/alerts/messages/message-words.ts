import { formatCount, type Language } from '../../../core/languages.ts';

interface MessageWords {
  /** Text that precedes a verification code. */
  code: string;
  codeNote(minutes: number): string;
  test(name: string): string;
  testNote: string;
  /** Text that a person sends to connect their phone number to a workspace. */
  request(code: string): string;
  /**
   * Reply to a chat that was just connected to a workspace for alerts.
   * @param org name of the workspace
   */
  connected(org: string): string;
  linkUsedUp: string;
}

/** Texts of verification codes, tests and replies, in each language. */
export const messageWords: Record<Language, MessageWords> = {
  en: {
    code: 'Your code for Parley alerts: ',
    codeNote: (minutes) =>
      `The code is valid for ${formatCount('en', minutes, { one: 'minute', other: 'minutes' })}. If you did not request a code, ignore this message.`,
    test: (name) => `Test: ${name}`,
    testNote: 'Alerts will arrive here. This is only a test that a member of your team sent.',
    request: (code) => `Please send me Parley alerts: ${code}`,
    connected: (org) => `This chat is connected and can now receive alerts from ${org}.`,
    linkUsedUp: 'This link no longer works. Please create a new one in the console.',
  },
  de: {
    code: 'Ihr Code für Meldungen von Parley: ',
    codeNote: (minutes) =>
      `Er gilt ${formatCount('de', minutes, { one: 'Minute', other: 'Minuten' })}. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht.`,
    test: (name) => `Test: ${name}`,
    testNote:
      'Meldungen kommen hier an. Es ist nichts geschehen: Jemand aus Ihrem Team hat diesen Test gesendet.',
    request: (code) => `Bitte senden Sie mir Meldungen von Parley: ${code}`,
    connected: (org) => `Dieser Chat ist verbunden: Er kann nun Meldungen von ${org} erhalten.`,
    linkUsedUp: 'Dieser Link gilt nicht mehr. Bitte erstellen Sie in der Konsole einen neuen.',
  },
  es: {
    code: 'Su código para los avisos de Parley: ',
    codeNote: (minutes) =>
      `Es válido durante ${formatCount('es', minutes, { one: 'minuto', other: 'minutos' })}. Si no lo ha pedido, ignore este mensaje.`,
    test: (name) => `Prueba: ${name}`,
    testNote: 'Los avisos llegan aquí. No ha ocurrido nada: alguien de su equipo ha enviado esta prueba.',
    request: (code) => `Quiero recibir los avisos de Parley: ${code}`,
    connected: (org) => `Este chat está conectado: ya puede recibir los avisos de ${org}.`,
    linkUsedUp: 'Este enlace ya no es válido. Cree otro en la consola.',
  },
  fr: {
    code: 'Votre code pour les alertes de Parley : ',
    codeNote: (minutes) =>
      `Il est valable ${formatCount('fr', minutes, { one: 'minute', other: 'minutes' })}. Si vous ne l’avez pas demandé, ignorez ce message.`,
    test: (name) => `Test : ${name}`,
    testNote:
      'Les alertes arrivent ici. Il ne s’est rien passé : quelqu’un de votre équipe a envoyé ce test.',
    request: (code) => `Je souhaite recevoir les alertes de Parley : ${code}`,
    connected: (org) =>
      `Cette discussion est connectée : elle peut maintenant recevoir les alertes de ${org}.`,
    linkUsedUp: 'Ce lien n’est plus valable. Créez-en un autre dans la console.',
  },
  it: {
    code: 'Il suo codice per gli avvisi di Parley: ',
    codeNote: (minutes) =>
      `È valido per ${formatCount('it', minutes, { one: 'minuto', other: 'minuti' })}. Se non l’ha richiesto, ignori questo messaggio.`,
    test: (name) => `Prova: ${name}`,
    testNote: 'Gli avvisi arrivano qui. Non è successo nulla: qualcuno del suo team ha inviato questa prova.',
    request: (code) => `Vorrei ricevere gli avvisi di Parley: ${code}`,
    connected: (org) => `Questa chat è collegata: ora può ricevere gli avvisi di ${org}.`,
    linkUsedUp: 'Questo link non è più valido. Ne crei un altro nella console.',
  },
  nl: {
    code: 'Uw code voor meldingen van Parley: ',
    codeNote: (minutes) =>
      `Deze is ${formatCount('nl', minutes, { one: 'minuut', other: 'minuten' })} geldig. Hebt u er niet om gevraagd, negeer dit bericht dan.`,
    test: (name) => `Test: ${name}`,
    testNote: 'Meldingen komen hier aan. Er is niets gebeurd: iemand van uw team heeft deze test gestuurd.',
    request: (code) => `Ik wil graag meldingen van Parley ontvangen: ${code}`,
    connected: (org) => `Deze chat is gekoppeld en kan nu meldingen van ${org} ontvangen.`,
    linkUsedUp: 'Deze link is niet meer geldig. Maak een nieuwe in de console.',
  },
  pt: {
    code: 'O seu código para os avisos da Parley: ',
    codeNote: (minutes) =>
      `É válido durante ${formatCount('pt', minutes, { one: 'minuto', other: 'minutos' })}. Se não o pediu, ignore esta mensagem.`,
    test: (name) => `Teste: ${name}`,
    testNote: 'Os avisos chegam aqui. Não aconteceu nada: alguém da sua equipa enviou este teste.',
    request: (code) => `Quero receber os avisos da Parley: ${code}`,
    connected: (org) => `Esta conversa está ligada: já pode receber os avisos de ${org}.`,
    linkUsedUp: 'Esta ligação já não é válida. Crie outra na consola.',
  },
};
