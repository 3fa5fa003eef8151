/** Texts of a bot whose owner has set none. */
export interface AnswerTexts {
  /** Reply if the bot's documents do not answer the question. */
  fallback: string;
  /** Reply after the visitor has asked for a person: a member of the team will answer. */
  handoff: string;
  /** Reply if generating the answer failed. It reveals nothing about the model or the bot's settings. */
  failure: string;
}

/** Texts by the ISO 639-1 code of their language. These are the languages of the widget. */
const texts = {
  en: {
    fallback: 'I could not find an answer to that. Please ask in other words, or contact us directly.',
    handoff: 'I have asked our team to join. A team member will answer you here.',
    failure: 'I cannot answer at the moment. Please try again in a little while.',
  },
  de: {
    fallback:
      'Dazu habe ich keine Antwort gefunden. Bitte fragen Sie mit anderen Worten, oder wenden Sie sich direkt an uns.',
    handoff: 'Ich habe unser Team dazugeholt. Jemand wird Ihnen hier antworten.',
    failure: 'Ich kann gerade nicht antworten. Bitte versuchen Sie es in Kürze noch einmal.',
  },
  es: {
    fallback:
      'No he encontrado una respuesta a eso. Pregunte con otras palabras o póngase en contacto con nosotros.',
    handoff: 'He avisado a nuestro equipo. Alguien le responderá aquí.',
    failure: 'Ahora mismo no puedo responder. Inténtelo de nuevo dentro de un momento.',
  },
  fr: {
    fallback:
      'Je n’ai pas trouvé de réponse à cette question. Reformulez-la, s’il vous plaît, ou contactez-nous directement.',
    handoff: 'J’ai prévenu notre équipe. Quelqu’un vous répondra ici.',
    failure: 'Je ne peux pas répondre pour le moment. Veuillez réessayer dans un instant.',
  },
  it: {
    fallback:
      'Non ho trovato una risposta. Provi a chiedere con altre parole, oppure ci contatti direttamente.',
    handoff: 'Ho avvisato il nostro team. Qualcuno le risponderà qui.',
    failure: 'Al momento non posso rispondere. Riprovi tra poco.',
  },
  nl: {
    fallback:
      'Daar heb ik geen antwoord op gevonden. Stel uw vraag in andere woorden, of neem rechtstreeks contact met ons op.',
    handoff: 'Ik heb ons team erbij gevraagd. Iemand antwoordt u hier.',
    failure: 'Ik kan nu geen antwoord geven. Probeer het over een ogenblik opnieuw.',
  },
  pt: {
    fallback:
      'Não encontrei uma resposta para isso. Pergunte por outras palavras ou entre em contacto connosco diretamente.',
    handoff: 'Avisei a nossa equipa. Alguém lhe responderá aqui.',
    failure: 'De momento não consigo responder. Tente novamente daqui a pouco.',
  },
} as const satisfies Record<string, AnswerTexts>;

export type TextLanguage = keyof typeof texts;

/** Returns the language in which the texts exist for a tag such as `pt-BR`; null if there are none. */
export function findTextLanguage(tag: string): TextLanguage | null {
  const language = tag.trim().toLowerCase().split(/[-_;]/, 1)[0] ?? '';
  return Object.hasOwn(texts, language) ? (language as TextLanguage) : null;
}

export function answerTexts(language: TextLanguage): AnswerTexts {
  return texts[language];
}
