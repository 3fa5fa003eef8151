/**
 * Texts with which the widget asks the visitor what is wrong with an answer. The reasons have the names that
 * the API uses.
 */
export interface RatingWords {
  question: string;
  incorrect: string;
  incomplete: string;
  off_topic: string;
  unclear: string;
  other: string;
  comment: string;
}

/**
 * The texts about ratings by language. They are part of the script, since all of them are smaller than a
 * request.
 */
export const ratingWords: Readonly<Record<string, RatingWords>> = {
  en: {
    question: 'What is wrong with this answer?',
    incorrect: 'Incorrect',
    incomplete: 'Incomplete',
    off_topic: 'Not my question',
    unclear: 'Unclear',
    other: 'Other',
    comment: 'Tell us more (optional)',
  },
  de: {
    question: 'Was stimmt an dieser Antwort nicht?',
    incorrect: 'Falsch',
    incomplete: 'Unvollständig',
    off_topic: 'Nicht meine Frage',
    unclear: 'Unklar',
    other: 'Sonstiges',
    comment: 'Mehr dazu (freiwillig)',
  },
  es: {
    question: '¿Qué falla en esta respuesta?',
    incorrect: 'Incorrecta',
    incomplete: 'Incompleta',
    off_topic: 'No es mi pregunta',
    unclear: 'Poco clara',
    other: 'Otro motivo',
    comment: 'Cuéntenos más (opcional)',
  },
  fr: {
    question: 'Qu’est-ce qui ne va pas dans cette réponse ?',
    incorrect: 'Incorrecte',
    incomplete: 'Incomplète',
    off_topic: 'Pas ma question',
    unclear: 'Pas claire',
    other: 'Autre',
    comment: 'Dites-nous-en plus (facultatif)',
  },
  it: {
    question: 'Che cosa non va in questa risposta?',
    incorrect: 'Errata',
    incomplete: 'Incompleta',
    off_topic: 'Non è la mia domanda',
    unclear: 'Poco chiara',
    other: 'Altro',
    comment: 'Ci dica di più (facoltativo)',
  },
  nl: {
    question: 'Wat klopt er niet aan dit antwoord?',
    incorrect: 'Onjuist',
    incomplete: 'Onvolledig',
    off_topic: 'Niet mijn vraag',
    unclear: 'Onduidelijk',
    other: 'Anders',
    comment: 'Vertel ons meer (optioneel)',
  },
  pt: {
    question: 'O que está errado nesta resposta?',
    incorrect: 'Incorreta',
    incomplete: 'Incompleta',
    off_topic: 'Não é a minha pergunta',
    unclear: 'Pouco clara',
    other: 'Outro motivo',
    comment: 'Conte-nos mais (opcional)',
  },
};
