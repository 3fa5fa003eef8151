import { formatCount, type Language } from '../../core/languages.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { AlertEvent } from './alert-events.ts';

export interface AlertWords {
  /** Title of an alert for each kind of event. */
  events: Readonly<Record<AlertEvent, string>>;
  /** Label of the link in an alert that opens the console. */
  open: string;
  more(count: number): string;
  /**
   * Text at the end of an alert policy's last message of the day, when the daily cap is reached.
   * @param cap maximum number of messages a day
   * @param time time at which the remaining alerts are summarized
   */
  lastOfDay(cap: number, time: string): string;
  /** Names for the author of a conversation's message, by the author's role. */
  roles: Readonly<Record<Message['role'], string>>;
  reconnect: string;
  quoted(text: string): string;
}

/** Texts of alerts in each language. Names, document errors and provider errors are not translated. */
export const alertWords: Record<Language, AlertWords> = {
  en: {
    events: {
      'handoff.requested': 'A visitor asks for a person',
      'webhook.disabled': 'Webhook endpoint disabled',
      'calendar.failing': 'Calendar cannot be reached',
      'usage.limit_reached': 'Usage limit reached',
      'lead.captured': 'New lead',
      'booking.created': 'New booking',
      'booking.cancelled': 'Booking canceled',
      'booking.conflict': 'Booking clashes with the calendar',
      'document.failed': 'Document could not be read',
      'document.indexed': 'Document indexed',
      'conversation.started': 'Conversation started',
      'conversation.ended': 'Conversation ended',
      'contact.updated': 'Contact updated',
      'message.created': 'New message',
    },
    open: 'Open',
    more: (count) => `and ${formatCount('en', count, { one: 'more alert', other: 'more alerts' })}`,
    lastOfDay: (cap, time) =>
      `Today’s limit of ${formatCount('en', cap, { one: 'message', other: 'messages' })} has been reached. Further alerts will follow in one summary: ${time}.`,
    roles: { user: 'visitor', assistant: 'bot', agent: 'team', system: 'system' },
    reconnect: 'Please reconnect the calendar.',
    quoted: (text) => `“${text}”`,
  },
  de: {
    events: {
      'handoff.requested': 'Ein Besucher möchte mit einem Menschen sprechen',
      'webhook.disabled': 'Webhook-Endpunkt abgeschaltet',
      'calendar.failing': 'Kalender nicht erreichbar',
      'usage.limit_reached': 'Nutzungsgrenze erreicht',
      'lead.captured': 'Neue Kontaktanfrage',
      'booking.created': 'Neuer Termin',
      'booking.cancelled': 'Termin abgesagt',
      'booking.conflict': 'Termin überschneidet sich mit dem Kalender',
      'document.failed': 'Dokument konnte nicht gelesen werden',
      'document.indexed': 'Dokument eingelesen',
      'conversation.started': 'Gespräch begonnen',
      'conversation.ended': 'Gespräch beendet',
      'contact.updated': 'Kontakt geändert',
      'message.created': 'Neue Nachricht',
    },
    open: 'Öffnen',
    more: (count) =>
      `und ${formatCount('de', count, { one: 'weitere Meldung', other: 'weitere Meldungen' })}`,
    lastOfDay: (cap, time) =>
      `Die Tagesgrenze von ${formatCount('de', cap, { one: 'Nachricht', other: 'Nachrichten' })} ist erreicht. Alles Weitere folgt zusammengefasst: ${time}.`,
    roles: { user: 'Besucher', assistant: 'Bot', agent: 'Team', system: 'System' },
    reconnect: 'Bitte verbinden Sie ihn neu.',
    quoted: (text) => `„${text}“`,
  },
  es: {
    events: {
      'handoff.requested': 'Un visitante pide hablar con una persona',
      'webhook.disabled': 'Webhook desactivado',
      'calendar.failing': 'No se puede acceder al calendario',
      'usage.limit_reached': 'Límite de uso alcanzado',
      'lead.captured': 'Contacto nuevo',
      'booking.created': 'Cita nueva',
      'booking.cancelled': 'Cita cancelada',
      'booking.conflict': 'Una cita coincide con otra cosa en el calendario',
      'document.failed': 'No se pudo leer un documento',
      'document.indexed': 'Documento indexado',
      'conversation.started': 'Conversación iniciada',
      'conversation.ended': 'Conversación terminada',
      'contact.updated': 'Contacto actualizado',
      'message.created': 'Mensaje nuevo',
    },
    open: 'Abrir',
    more: (count) => `y ${formatCount('es', count, { one: 'aviso más', other: 'avisos más' })}`,
    lastOfDay: (cap, time) =>
      `Se ha alcanzado el límite diario de ${formatCount('es', cap, { one: 'mensaje', other: 'mensajes' })}. Lo demás llegará en un resumen: ${time}.`,
    roles: { user: 'visitante', assistant: 'bot', agent: 'equipo', system: 'sistema' },
    reconnect: 'Vuelva a conectarlo.',
    quoted: (text) => `«${text}»`,
  },
  fr: {
    events: {
      'handoff.requested': 'Un visiteur demande à parler à une personne',
      'webhook.disabled': 'Webhook désactivé',
      'calendar.failing': 'Agenda inaccessible',
      'usage.limit_reached': 'Limite d’utilisation atteinte',
      'lead.captured': 'Nouveau contact',
      'booking.created': 'Nouveau rendez-vous',
      'booking.cancelled': 'Rendez-vous annulé',
      'booking.conflict': 'Rendez-vous en conflit avec l’agenda',
      'document.failed': 'Un document n’a pas pu être lu',
      'document.indexed': 'Document indexé',
      'conversation.started': 'Conversation commencée',
      'conversation.ended': 'Conversation terminée',
      'contact.updated': 'Contact modifié',
      'message.created': 'Nouveau message',
    },
    open: 'Ouvrir',
    more: (count) => `et ${formatCount('fr', count, { one: 'autre alerte', other: 'autres alertes' })}`,
    lastOfDay: (cap, time) =>
      `La limite quotidienne de ${formatCount('fr', cap, { one: 'message', other: 'messages' })} est atteinte. La suite arrivera dans un résumé : ${time}.`,
    roles: { user: 'visiteur', assistant: 'bot', agent: 'équipe', system: 'système' },
    reconnect: 'Veuillez le reconnecter.',
    quoted: (text) => `« ${text} »`,
  },
  it: {
    events: {
      'handoff.requested': 'Un visitatore chiede di parlare con una persona',
      'webhook.disabled': 'Webhook disattivato',
      'calendar.failing': 'Calendario non raggiungibile',
      'usage.limit_reached': 'Limite di utilizzo raggiunto',
      'lead.captured': 'Nuovo contatto',
      'booking.created': 'Nuovo appuntamento',
      'booking.cancelled': 'Appuntamento annullato',
      'booking.conflict': 'Un appuntamento si sovrappone ad altro nel calendario',
      'document.failed': 'Impossibile leggere un documento',
      'document.indexed': 'Documento indicizzato',
      'conversation.started': 'Conversazione iniziata',
      'conversation.ended': 'Conversazione terminata',
      'contact.updated': 'Contatto aggiornato',
      'message.created': 'Nuovo messaggio',
    },
    open: 'Apri',
    more: (count) => `e ${formatCount('it', count, { one: 'altro avviso', other: 'altri avvisi' })}`,
    lastOfDay: (cap, time) =>
      `È stato raggiunto il limite giornaliero di ${formatCount('it', cap, { one: 'messaggio', other: 'messaggi' })}. Il resto arriverà in un riepilogo: ${time}.`,
    roles: { user: 'visitatore', assistant: 'bot', agent: 'team', system: 'sistema' },
    reconnect: 'Lo colleghi di nuovo.',
    quoted: (text) => `«${text}»`,
  },
  nl: {
    events: {
      'handoff.requested': 'Een bezoeker wil een medewerker spreken',
      'webhook.disabled': 'Webhook uitgeschakeld',
      'calendar.failing': 'Agenda niet bereikbaar',
      'usage.limit_reached': 'Gebruikslimiet bereikt',
      'lead.captured': 'Nieuwe contactgegevens',
      'booking.created': 'Nieuwe afspraak',
      'booking.cancelled': 'Afspraak afgezegd',
      'booking.conflict': 'Afspraak valt samen met iets anders in de agenda',
      'document.failed': 'Document kon niet worden gelezen',
      'document.indexed': 'Document verwerkt',
      'conversation.started': 'Gesprek begonnen',
      'conversation.ended': 'Gesprek beëindigd',
      'contact.updated': 'Contact gewijzigd',
      'message.created': 'Nieuw bericht',
    },
    open: 'Openen',
    more: (count) => `en nog ${formatCount('nl', count, { one: 'melding', other: 'meldingen' })}`,
    lastOfDay: (cap, time) =>
      `De daglimiet van ${formatCount('nl', cap, { one: 'bericht', other: 'berichten' })} is bereikt. De rest volgt in één overzicht: ${time}.`,
    roles: { user: 'bezoeker', assistant: 'bot', agent: 'team', system: 'systeem' },
    reconnect: 'Verbind de agenda opnieuw.',
    quoted: (text) => `‘${text}’`,
  },
  pt: {
    events: {
      'handoff.requested': 'Um visitante pede para falar com uma pessoa',
      'webhook.disabled': 'Webhook desativado',
      'calendar.failing': 'Calendário inacessível',
      'usage.limit_reached': 'Limite de utilização atingido',
      'lead.captured': 'Novo contacto',
      'booking.created': 'Nova reunião',
      'booking.cancelled': 'Reunião cancelada',
      'booking.conflict': 'Uma reunião coincide com outra coisa no calendário',
      'document.failed': 'Não foi possível ler um documento',
      'document.indexed': 'Documento indexado',
      'conversation.started': 'Conversa iniciada',
      'conversation.ended': 'Conversa terminada',
      'contact.updated': 'Contacto atualizado',
      'message.created': 'Nova mensagem',
    },
    open: 'Abrir',
    more: (count) => `e mais ${formatCount('pt', count, { one: 'aviso', other: 'avisos' })}`,
    lastOfDay: (cap, time) =>
      `Foi atingido o limite diário de ${formatCount('pt', cap, { one: 'mensagem', other: 'mensagens' })}. O resto chegará num resumo: ${time}.`,
    roles: { user: 'visitante', assistant: 'bot', agent: 'equipa', system: 'sistema' },
    reconnect: 'Volte a ligá-lo.',
    quoted: (text) => `«${text}»`,
  },
};
