import type { SmallTalkKind } from './remarks/phrases/language-phrases.ts';

/** Kinds of small talk to which the bot has a reply of their own. */
type RepliedKind = Exclude<SmallTalkKind, 'affirmation' | 'denial'> | 'unclear';

/** Default texts of a bot, for bots whose owner has set no texts. */
export interface AnswerTexts {
  /** Bot's reply if its documents do not answer the question. */
  fallback: string;
  /** Bot's reply after the visitor has asked for a person: a member of the team will answer. */
  handoff: string;
  /**
   * Bot's reply if generating the answer failed. The reply reveals nothing about the model or the bot's
   * settings.
   */
  failure: string;
  /** Bot's replies to small talk, by its kind. */
  smallTalk: Record<RepliedKind, string>;
  /** Sentence that follows some replies to small talk if the bot can hand over to a person of the team. */
  offerPerson: string;
  /** Beginning of the bot's reply to a visitor who asks for a person, if the bot never hands over. */
  noPerson: string;
  /** Beginning of the bot's reply to a visitor who asks for a person outside the opening hours. */
  closed: string;
  /** Sentence that introduces links with which a visitor can reach the team. */
  reachTeam: string;
  /** Question with which Parley searches the documents for the team's contact details. */
  contactQuestion: string;
  /** Last sentence of the bot's reply if no contact details of the team are known. */
  contactDetails: string;
  /**
   * Introduction of a quote in another language than the visitor's; `{language}` is the name of the quote's
   * language.
   */
  foreignQuote: string;
}

/** Default texts of a bot by the ISO 639-1 code of their language. The languages are those of the widget. */
const texts = {
  en: {
    fallback: 'I could not find an answer to that. Please rephrase your question, or contact us directly.',
    handoff: 'I have asked our team to join. A team member will answer you here.',
    failure: 'I cannot answer at the moment. Please try again in a little while.',
    smallTalk: {
      greeting: 'Hello! What can I help you with?',
      pause: 'Take your time. I am here when you have a question.',
      gives_details: 'Thank you for the details. What can I help you with?',
      wants_to_complain: 'I am sorry to hear that.',
      asks_language:
        'You can write in your language. Our documents may be in a different language. What would you like to know?',
      how_are_you: 'I am well, thank you for asking. What can I help you with?',
      thanks: 'You are welcome! Is there anything else I can help you with?',
      goodbye: 'Goodbye, and thank you for your visit!',
      acknowledgement: 'All right. Is there anything else I can help you with?',
      complaint:
        'I am sorry that I was not helpful. Please tell me in different words what you would like to know.',
      asks_abilities: 'I answer questions about what we offer. What would you like to know?',
      asks_maker:
        'I am an automated assistant that the team of this website has set up. What can I help you with?',
      asks_if_bot: 'I am an automated assistant, not a person. What can I help you with?',
      unclear: 'What can I help you with? Please write your question in a few words.',
    },
    offerPerson: 'If you would like to talk to a person, just say so.',
    noPerson: 'I cannot connect you with a person here.',
    closed: 'Our team is not available at the moment.',
    reachTeam: 'You can reach the team here:',
    contactQuestion: 'How can I contact you by phone or email?',
    contactDetails: 'Please use the contact details on our website.',
    foreignQuote: 'I found this in {language}:',
  },
  de: {
    fallback:
      'Dazu habe ich keine Antwort gefunden. Bitte fragen Sie mit anderen Worten, oder wenden Sie sich direkt an uns.',
    handoff: 'Ich habe unser Team dazugeholt. Jemand wird Ihnen hier antworten.',
    failure: 'Ich kann gerade nicht antworten. Bitte versuchen Sie es in Kürze noch einmal.',
    smallTalk: {
      greeting: 'Hallo! Wie kann ich Ihnen helfen?',
      pause: 'Lassen Sie sich Zeit. Ich bin da, wenn Sie eine Frage haben.',
      gives_details: 'Danke für die Angaben. Wie kann ich Ihnen helfen?',
      wants_to_complain: 'Das tut mir leid.',
      asks_language:
        'Sie können in Ihrer Sprache schreiben. Unsere Dokumente sind vielleicht in einer anderen. Was möchten Sie wissen?',
      how_are_you: 'Danke, mir geht es gut. Wie kann ich Ihnen helfen?',
      thanks: 'Gern geschehen! Kann ich Ihnen noch bei etwas helfen?',
      goodbye: 'Auf Wiedersehen, und danke für Ihren Besuch!',
      acknowledgement: 'In Ordnung. Kann ich Ihnen noch bei etwas helfen?',
      complaint:
        'Es tut mir leid, dass ich nicht helfen konnte. Bitte sagen Sie mir mit anderen Worten, was Sie wissen möchten.',
      asks_abilities: 'Ich beantworte Fragen zu unserem Angebot. Was möchten Sie wissen?',
      asks_maker:
        'Ich bin ein automatischer Assistent, den das Team dieser Website eingerichtet hat. Wie kann ich Ihnen helfen?',
      asks_if_bot: 'Ich bin ein automatischer Assistent, kein Mensch. Wie kann ich Ihnen helfen?',
      unclear: 'Wie kann ich Ihnen helfen? Bitte schreiben Sie Ihre Frage in ein paar Worten.',
    },
    offerPerson: 'Wenn Sie mit einem Menschen sprechen möchten, sagen Sie es einfach.',
    noPerson: 'Ich kann Sie hier nicht mit einem Menschen verbinden.',
    closed: 'Im Moment ist niemand aus unserem Team erreichbar.',
    reachTeam: 'So erreichen Sie das Team:',
    contactQuestion: 'Wie kann ich Sie per Telefon oder E-Mail kontaktieren?',
    contactDetails: 'Bitte nutzen Sie die Kontaktdaten auf unserer Website.',
    foreignQuote: 'Dazu habe ich Folgendes auf {language} gefunden:',
  },
  es: {
    fallback:
      'No he encontrado una respuesta a eso. Pregunte con otras palabras o póngase en contacto con nosotros.',
    handoff: 'He avisado a nuestro equipo. Alguien le responderá aquí.',
    failure: 'Ahora mismo no puedo responder. Inténtelo de nuevo dentro de un momento.',
    smallTalk: {
      greeting: '¡Hola! ¿En qué puedo ayudarle?',
      pause: 'Tómese su tiempo. Estoy aquí cuando tenga una pregunta.',
      gives_details: 'Gracias por los datos. ¿En qué puedo ayudarle?',
      wants_to_complain: 'Lamento lo ocurrido.',
      asks_language:
        'Puede escribir en su idioma. Nuestros documentos pueden estar en otro. ¿Qué le gustaría saber?',
      how_are_you: 'Muy bien, gracias. ¿En qué puedo ayudarle?',
      thanks: '¡De nada! ¿Puedo ayudarle en algo más?',
      goodbye: '¡Hasta pronto y gracias por su visita!',
      acknowledgement: 'De acuerdo. ¿Puedo ayudarle en algo más?',
      complaint: 'Siento no haber sido de ayuda. Dígame con otras palabras qué le gustaría saber.',
      asks_abilities: 'Respondo a preguntas sobre lo que ofrecemos. ¿Qué le gustaría saber?',
      asks_maker:
        'Soy un asistente automático que ha configurado el equipo de este sitio web. ¿En qué puedo ayudarle?',
      asks_if_bot: 'Soy un asistente automático, no una persona. ¿En qué puedo ayudarle?',
      unclear: '¿En qué puedo ayudarle? Escriba su pregunta en pocas palabras.',
    },
    offerPerson: 'Si quiere hablar con una persona, solo tiene que decirlo.',
    noPerson: 'Aquí no puedo ponerle en contacto con una persona.',
    closed: 'En este momento no hay nadie de nuestro equipo disponible.',
    reachTeam: 'Puede contactar con el equipo aquí:',
    contactQuestion: '¿Cómo puedo contactarles por teléfono o correo electrónico?',
    contactDetails: 'Utilice los datos de contacto de nuestro sitio web.',
    foreignQuote: 'He encontrado esto en {language}:',
  },
  fr: {
    fallback:
      'Je n’ai pas trouvé de réponse à cette question. Reformulez-la, s’il vous plaît, ou contactez-nous directement.',
    handoff: 'J’ai prévenu notre équipe. Quelqu’un vous répondra ici.',
    failure: 'Je ne peux pas répondre pour le moment. Veuillez réessayer dans un instant.',
    smallTalk: {
      greeting: 'Bonjour ! Comment puis-je vous aider ?',
      pause: 'Prenez votre temps. Je suis là dès que vous avez une question.',
      gives_details: 'Merci pour ces informations. Comment puis-je vous aider ?',
      wants_to_complain: 'J’en suis désolé.',
      asks_language:
        'Vous pouvez écrire dans votre langue. Nos documents sont peut-être dans une autre. Que souhaitez-vous savoir ?',
      how_are_you: 'Je vais bien, merci. Comment puis-je vous aider ?',
      thanks: 'Je vous en prie ! Puis-je vous aider pour autre chose ?',
      goodbye: 'Au revoir, et merci de votre visite !',
      acknowledgement: 'D’accord. Puis-je vous aider pour autre chose ?',
      complaint:
        'Je suis désolé de ne pas avoir pu vous aider. Dites-moi autrement ce que vous aimeriez savoir.',
      asks_abilities: 'Je réponds aux questions sur ce que nous proposons. Que souhaitez-vous savoir ?',
      asks_maker:
        'Je suis un assistant automatique que l’équipe de ce site a mis en place. Comment puis-je vous aider ?',
      asks_if_bot: 'Je suis un assistant automatique, pas une personne. Comment puis-je vous aider ?',
      unclear: 'Comment puis-je vous aider ? Écrivez votre question en quelques mots.',
    },
    offerPerson: 'Si vous souhaitez parler à une personne, dites-le simplement.',
    noPerson: 'Je ne peux pas vous mettre en relation avec une personne ici.',
    closed: 'Personne de notre équipe n’est disponible pour le moment.',
    reachTeam: 'Vous pouvez joindre l’équipe ici :',
    contactQuestion: 'Comment puis-je vous contacter par téléphone ou par e-mail ?',
    contactDetails: 'Veuillez utiliser les coordonnées indiquées sur notre site.',
    foreignQuote: 'J’ai trouvé ceci en {language} :',
  },
  it: {
    fallback:
      'Non ho trovato una risposta. Provi a chiedere con altre parole, oppure ci contatti direttamente.',
    handoff: 'Ho avvisato il nostro team. Qualcuno le risponderà qui.',
    failure: 'Al momento non posso rispondere. Riprovi tra poco.',
    smallTalk: {
      greeting: 'Buongiorno! Come posso aiutarla?',
      pause: 'Faccia con calma. Sono qui quando ha una domanda.',
      gives_details: 'Grazie per i dati. Come posso aiutarla?',
      wants_to_complain: 'Mi dispiace.',
      asks_language:
        'Può scrivere nella sua lingua. I nostri documenti possono essere in un’altra. Che cosa vorrebbe sapere?',
      how_are_you: 'Sto bene, grazie. Come posso aiutarla?',
      thanks: 'Prego! Posso aiutarla in qualcos’altro?',
      goodbye: 'Arrivederci, e grazie della visita!',
      acknowledgement: 'Va bene. Posso aiutarla in qualcos’altro?',
      complaint: 'Mi dispiace di non esserle stato utile. Mi dica con altre parole che cosa vorrebbe sapere.',
      asks_abilities: 'Rispondo alle domande su ciò che offriamo. Che cosa vorrebbe sapere?',
      asks_maker: 'Sono un assistente automatico impostato dal team di questo sito. Come posso aiutarla?',
      asks_if_bot: 'Sono un assistente automatico, non una persona. Come posso aiutarla?',
      unclear: 'Come posso aiutarla? Scriva la sua domanda in poche parole.',
    },
    offerPerson: 'Se desidera parlare con una persona, basta dirlo.',
    noPerson: 'Qui non posso metterla in contatto con una persona.',
    closed: 'In questo momento nessuno del nostro team è disponibile.',
    reachTeam: 'Può contattare il team qui:',
    contactQuestion: 'Come posso contattarvi per telefono o e-mail?',
    contactDetails: 'Usi i recapiti indicati sul nostro sito.',
    foreignQuote: 'Ho trovato questo in {language}:',
  },
  nl: {
    fallback:
      'Daar heb ik geen antwoord op gevonden. Stel uw vraag in andere woorden, of neem rechtstreeks contact met ons op.',
    handoff: 'Ik heb ons team erbij gevraagd. Iemand antwoordt u hier.',
    failure: 'Ik kan nu geen antwoord geven. Probeer het over een ogenblik opnieuw.',
    smallTalk: {
      greeting: 'Hallo! Waarmee kan ik u helpen?',
      pause: 'Neem de tijd. Ik ben er als u een vraag hebt.',
      gives_details: 'Bedankt voor de gegevens. Waarmee kan ik u helpen?',
      wants_to_complain: 'Dat spijt me.',
      asks_language:
        'U kunt in uw taal schrijven. Onze documenten zijn misschien in een andere taal. Wat wilt u weten?',
      how_are_you: 'Goed, dank u. Waarmee kan ik u helpen?',
      thanks: 'Graag gedaan! Kan ik u nog ergens anders mee helpen?',
      goodbye: 'Tot ziens, en bedankt voor uw bezoek!',
      acknowledgement: 'Goed. Kan ik u nog ergens anders mee helpen?',
      complaint:
        'Het spijt me dat ik u niet heb kunnen helpen. Vertel me in andere woorden wat u wilt weten.',
      asks_abilities: 'Ik beantwoord vragen over wat wij bieden. Wat wilt u weten?',
      asks_maker:
        'Ik ben een automatische assistent die het team van deze website heeft ingericht. Waarmee kan ik u helpen?',
      asks_if_bot: 'Ik ben een automatische assistent, geen mens. Waarmee kan ik u helpen?',
      unclear: 'Waarmee kan ik u helpen? Schrijf uw vraag in een paar woorden.',
    },
    offerPerson: 'Als u met een medewerker wilt spreken, kunt u dat gewoon zeggen.',
    noPerson: 'Ik kan u hier niet met een medewerker verbinden.',
    closed: 'Op dit moment is er niemand van ons team beschikbaar.',
    reachTeam: 'Zo bereikt u het team:',
    contactQuestion: 'Hoe kan ik contact met u opnemen per telefoon of e-mail?',
    contactDetails: 'Gebruik de contactgegevens op onze website.',
    foreignQuote: 'Ik vond dit in het {language}:',
  },
  pt: {
    fallback:
      'Não encontrei uma resposta para isso. Pergunte por outras palavras ou entre em contacto connosco diretamente.',
    handoff: 'Avisei a nossa equipa. Alguém lhe responderá aqui.',
    failure: 'De momento não consigo responder. Tente novamente daqui a pouco.',
    smallTalk: {
      greeting: 'Olá! Em que posso ajudar?',
      pause: 'Não há pressa. Estou aqui quando tiver uma pergunta.',
      gives_details: 'Obrigado pelos dados. Em que posso ajudar?',
      wants_to_complain: 'Lamento o sucedido.',
      asks_language:
        'Pode escrever na sua língua. Os nossos documentos podem estar noutra. O que gostaria de saber?',
      how_are_you: 'Estou bem, obrigado. Em que posso ajudar?',
      thanks: 'De nada! Posso ajudar em mais alguma coisa?',
      goodbye: 'Até breve e obrigado pela visita!',
      acknowledgement: 'Está bem. Posso ajudar em mais alguma coisa?',
      complaint: 'Lamento não ter conseguido ajudar. Diga-me por outras palavras o que gostaria de saber.',
      asks_abilities: 'Respondo a perguntas sobre o que oferecemos. O que gostaria de saber?',
      asks_maker: 'Sou um assistente automático que a equipa deste site configurou. Em que posso ajudar?',
      asks_if_bot: 'Sou um assistente automático, não uma pessoa. Em que posso ajudar?',
      unclear: 'Em que posso ajudar? Escreva a sua pergunta em poucas palavras.',
    },
    offerPerson: 'Se quiser falar com uma pessoa, basta dizer.',
    noPerson: 'Não posso ligar esta conversa a uma pessoa.',
    closed: 'Neste momento não há ninguém da nossa equipa disponível.',
    reachTeam: 'Pode contactar a equipa aqui:',
    contactQuestion: 'Como posso contactar-vos por telefone ou e-mail?',
    contactDetails: 'Utilize os contactos indicados no nosso site.',
    foreignQuote: 'Encontrei isto em {language}:',
  },
} as const satisfies Record<string, AnswerTexts>;

export type TextLanguage = keyof typeof texts;

/**
 * Returns the language in which a bot's default texts exist for a tag such as `pt-BR`; null if none exist in
 * this language.
 */
export function findTextLanguage(tag: string): TextLanguage | null {
  const language = tag.trim().toLowerCase().split(/[-_;]/, 1)[0] ?? '';
  return Object.hasOwn(texts, language) ? (language as TextLanguage) : null;
}

export function answerTexts(language: TextLanguage): AnswerTexts {
  return texts[language];
}

/**
 * Returns the introduction of a quote in another language than the visitor's, such as "I found this in
 * German:".
 */
export function introduceForeignQuote(language: TextLanguage, quoteLanguage: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(quoteLanguage) ?? quoteLanguage;
  return texts[language].foreignQuote.replace('{language}', name);
}

/** Returns true if a bot's fallback message is the default message of any language. */
export function isDefaultFallback(fallback: string): boolean {
  return Object.values(texts).some((known) => known.fallback === fallback);
}

/** Returns true if a bot's reply ends with the offer to connect the visitor with a person, in any language. */
export function offersPerson(reply: string): boolean {
  return Object.values(texts).some(({ offerPerson }) => reply.endsWith(offerPerson));
}

/** Returns true if a bot's reply asks whether the visitor needs anything else, in any language. */
export function asksForMore(reply: string): boolean {
  return Object.values(texts).some(({ smallTalk }) =>
    [smallTalk.thanks, smallTalk.acknowledgement].some((text) => text === reply),
  );
}
