import type { Language } from '../../languages.ts';

const topics = [
  'services',
  'prices',
  'hours',
  'booking',
  'contact',
  'delivery',
  'returns',
  'payment',
  'cancellation',
  'support',
] as const;

/** A topic about which visitors often ask a business. */
export type DraftTopic = (typeof topics)[number];

type Topic = readonly [topic: string, question: string];

/** Default texts of a generated bot in one language. They replace texts that the draft lacks. */
export interface DraftTexts extends Record<DraftTopic, Topic> {
  /** Name of a bot if the name of the business is unknown. */
  assistant: string;
  /**
   * Returns the welcome message of a generated bot.
   * @param business name of the business; null if unknown
   */
  welcome: (business: string | null) => string;
  leadTitle: string;
  nameLabel: string;
  emailLabel: string;
  phoneLabel: string;
}

export const draftTexts: Record<Language, DraftTexts> = {
  en: {
    assistant: 'Assistant',
    welcome: (business) =>
      business === null
        ? 'Hello! How can I help you?'
        : `Hello! I am the assistant of ${business}. How can I help you?`,
    leadTitle: 'How can we reach you?',
    nameLabel: 'Name',
    emailLabel: 'Email',
    phoneLabel: 'Phone',
    services: ['Services', 'What do you offer?'],
    prices: ['Prices', 'What does it cost?'],
    hours: ['Opening hours', 'When are you open?'],
    booking: ['Booking', 'How can I book?'],
    contact: ['Contact', 'How can I reach you?'],
    delivery: ['Delivery', 'How long does delivery take?'],
    returns: ['Returns', 'How can I return something?'],
    payment: ['Payment', 'How can I pay?'],
    cancellation: ['Cancellation', 'How can I cancel?'],
    support: ['Support', 'How do I get help?'],
  },
  de: {
    assistant: 'Assistent',
    welcome: (business) =>
      business === null
        ? 'Guten Tag! Wie kann ich Ihnen helfen?'
        : `Guten Tag! Ich bin der Assistent von ${business}. Wie kann ich Ihnen helfen?`,
    leadTitle: 'Wie erreichen wir Sie?',
    nameLabel: 'Name',
    emailLabel: 'E-Mail',
    phoneLabel: 'Telefon',
    services: ['Leistungen', 'Was bieten Sie an?'],
    prices: ['Preise', 'Was kostet es?'],
    hours: ['Öffnungszeiten', 'Wann haben Sie geöffnet?'],
    booking: ['Buchung', 'Wie kann ich buchen?'],
    contact: ['Kontakt', 'Wie erreiche ich Sie?'],
    delivery: ['Lieferung', 'Wie lange dauert die Lieferung?'],
    returns: ['Rückgabe', 'Wie kann ich etwas zurückgeben?'],
    payment: ['Zahlung', 'Wie kann ich bezahlen?'],
    cancellation: ['Stornierung', 'Wie kann ich stornieren?'],
    support: ['Hilfe', 'Wo bekomme ich Hilfe?'],
  },
  es: {
    assistant: 'Asistente',
    welcome: (business) =>
      business === null
        ? '¡Hola! ¿En qué puedo ayudarle?'
        : `¡Hola! Soy el asistente de ${business}. ¿En qué puedo ayudarle?`,
    leadTitle: '¿Cómo podemos contactarle?',
    nameLabel: 'Nombre',
    emailLabel: 'Correo electrónico',
    phoneLabel: 'Teléfono',
    services: ['Servicios', '¿Qué ofrecen?'],
    prices: ['Precios', '¿Cuánto cuesta?'],
    hours: ['Horario', '¿Cuándo abren?'],
    booking: ['Reservas', '¿Cómo puedo reservar?'],
    contact: ['Contacto', '¿Cómo puedo contactarles?'],
    delivery: ['Envío', '¿Cuánto tarda el envío?'],
    returns: ['Devoluciones', '¿Cómo puedo devolver algo?'],
    payment: ['Pago', '¿Cómo puedo pagar?'],
    cancellation: ['Cancelación', '¿Cómo puedo cancelar?'],
    support: ['Ayuda', '¿Dónde encuentro ayuda?'],
  },
  fr: {
    assistant: 'Assistant',
    welcome: (business) =>
      business === null
        ? 'Bonjour ! Comment puis-je vous aider ?'
        : `Bonjour ! Je suis l’assistant de ${business}. Comment puis-je vous aider ?`,
    leadTitle: 'Comment pouvons-nous vous joindre ?',
    nameLabel: 'Nom',
    emailLabel: 'E-mail',
    phoneLabel: 'Téléphone',
    services: ['Services', 'Que proposez-vous ?'],
    prices: ['Tarifs', 'Combien cela coûte-t-il ?'],
    hours: ['Horaires', 'Quand êtes-vous ouverts ?'],
    booking: ['Réservation', 'Comment puis-je réserver ?'],
    contact: ['Contact', 'Comment puis-je vous joindre ?'],
    delivery: ['Livraison', 'Combien de temps prend la livraison ?'],
    returns: ['Retours', 'Comment puis-je renvoyer un article ?'],
    payment: ['Paiement', 'Comment puis-je payer ?'],
    cancellation: ['Annulation', 'Comment puis-je annuler ?'],
    support: ['Aide', 'Où trouver de l’aide ?'],
  },
  it: {
    assistant: 'Assistente',
    welcome: (business) =>
      business === null
        ? 'Buongiorno! Come posso aiutarla?'
        : `Buongiorno! Sono l’assistente di ${business}. Come posso aiutarla?`,
    leadTitle: 'Come possiamo contattarla?',
    nameLabel: 'Nome',
    emailLabel: 'E-mail',
    phoneLabel: 'Telefono',
    services: ['Servizi', 'Che cosa offrite?'],
    prices: ['Prezzi', 'Quanto costa?'],
    hours: ['Orari', 'Quando siete aperti?'],
    booking: ['Prenotazioni', 'Come posso prenotare?'],
    contact: ['Contatti', 'Come posso contattarvi?'],
    delivery: ['Consegna', 'Quanto dura la consegna?'],
    returns: ['Resi', 'Come posso restituire qualcosa?'],
    payment: ['Pagamento', 'Come posso pagare?'],
    cancellation: ['Cancellazione', 'Come posso annullare?'],
    support: ['Assistenza', 'Dove trovo aiuto?'],
  },
  nl: {
    assistant: 'Assistent',
    welcome: (business) =>
      business === null
        ? 'Goedendag! Hoe kan ik u helpen?'
        : `Goedendag! Ik ben de assistent van ${business}. Hoe kan ik u helpen?`,
    leadTitle: 'Hoe kunnen we u bereiken?',
    nameLabel: 'Naam',
    emailLabel: 'E-mail',
    phoneLabel: 'Telefoon',
    services: ['Diensten', 'Wat biedt u aan?'],
    prices: ['Prijzen', 'Wat kost het?'],
    hours: ['Openingstijden', 'Wanneer bent u open?'],
    booking: ['Reserveren', 'Hoe kan ik reserveren?'],
    contact: ['Contact', 'Hoe kan ik u bereiken?'],
    delivery: ['Levering', 'Hoe lang duurt de levering?'],
    returns: ['Retourneren', 'Hoe kan ik iets retourneren?'],
    payment: ['Betaling', 'Hoe kan ik betalen?'],
    cancellation: ['Annuleren', 'Hoe kan ik annuleren?'],
    support: ['Hulp', 'Waar vind ik hulp?'],
  },
  pt: {
    assistant: 'Assistente',
    welcome: (business) =>
      business === null
        ? 'Olá! Em que posso ajudar?'
        : `Olá! Sou o assistente de ${business}. Em que posso ajudar?`,
    leadTitle: 'Como podemos contactá-lo?',
    nameLabel: 'Nome',
    emailLabel: 'E-mail',
    phoneLabel: 'Telefone',
    services: ['Serviços', 'O que oferecem?'],
    prices: ['Preços', 'Quanto custa?'],
    hours: ['Horário', 'Quando estão abertos?'],
    booking: ['Reservas', 'Como posso reservar?'],
    contact: ['Contacto', 'Como posso contactar-vos?'],
    delivery: ['Entrega', 'Quanto tempo demora a entrega?'],
    returns: ['Devoluções', 'Como posso devolver algo?'],
    payment: ['Pagamento', 'Como posso pagar?'],
    cancellation: ['Cancelamento', 'Como posso cancelar?'],
    support: ['Ajuda', 'Onde encontro ajuda?'],
  },
};
