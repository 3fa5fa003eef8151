import type { Language } from '../../../core/languages.ts';
import type { AttendeeMailKind } from './attendee-mail-kinds.ts';

interface AttendeeWords {
  /**
   * Title of a meeting for which the booking has no title.
   * @param withWhom name of the bot or the workspace
   */
  meeting(withWhom: string): string;
  greeting: string;
  /**
   * Subject lines of the emails to a meeting's attendee.
   * @param when formatted day and time of the meeting
   */
  subjects: Record<AttendeeMailKind, (when: string) => string>;
  intros: Record<AttendeeMailKind, string>;
  when: string;
  about: string;
  goOn: string;
  note: string;
  why(withWhom: string): string;
  /** Text for a recipient who did not book the meeting: what they can do. */
  notYou: string;
  page: {
    cancel: string;
    /** Explanation above the button with which the attendee cancels the meeting. */
    ask: string;
    file: string;
    cancelled: string;
    over: string;
    begun: string;
  };
}

/** Translated texts of emails to attendees and of their meeting page. */
export const attendeeWords: Record<Language, AttendeeWords> = {
  en: {
    meeting: (whom) => `Meeting with ${whom}`,
    greeting: 'Hello,',
    subjects: {
      confirmed: (when) => `Confirmed: your meeting on ${when}`,
      moved: (when) => `Moved: your meeting is now on ${when}`,
      reminder: (when) => `Reminder: your meeting on ${when}`,
      cancelled: (when) => `Canceled: your meeting on ${when}`,
    },
    intros: {
      confirmed: 'Your meeting is booked.',
      moved: 'Your meeting has been moved. The earlier time no longer applies.',
      reminder: 'Your meeting is coming up.',
      cancelled: 'Your meeting has been canceled. It will not take place.',
    },
    when: 'When',
    about: 'About',
    goOn: 'View or cancel the meeting',
    note: 'Replies to this email aren’t monitored.',
    why: (whom) => `You received this email because a meeting with ${whom} was booked with this address.`,
    notYou: 'If this was not you, cancel the meeting or ignore this email.',
    page: {
      cancel: 'Cancel the meeting',
      ask: 'Can’t make it? Cancel the meeting so that someone else can have this time.',
      file: 'Add to your calendar',
      cancelled: 'This meeting was canceled.',
      over: 'This meeting is over.',
      begun: 'This meeting has begun, so it can no longer be canceled.',
    },
  },
  de: {
    meeting: (whom) => `Termin mit ${whom}`,
    greeting: 'Guten Tag,',
    subjects: {
      confirmed: (when) => `Bestätigt: Ihr Termin am ${when}`,
      moved: (when) => `Verschoben: Ihr Termin ist nun am ${when}`,
      reminder: (when) => `Erinnerung: Ihr Termin am ${when}`,
      cancelled: (when) => `Abgesagt: Ihr Termin am ${when}`,
    },
    intros: {
      confirmed: 'Ihr Termin ist gebucht.',
      moved: 'Ihr Termin hat eine neue Zeit. Die bisherige gilt nicht mehr.',
      reminder: 'Ihr Termin steht bevor.',
      cancelled: 'Ihr Termin wurde abgesagt. Er findet nicht statt.',
    },
    when: 'Wann',
    about: 'Worum es geht',
    goOn: 'Termin ansehen oder absagen',
    note: 'Antworten auf diese Mail liest niemand.',
    why: (whom) => `Sie bekommen diese Mail, weil mit dieser Adresse ein Termin mit ${whom} gebucht wurde.`,
    notYou: 'Waren das nicht Sie, sagen Sie ihn ab oder beachten Sie die Mail nicht.',
    page: {
      cancel: 'Termin absagen',
      ask: 'Sie können nicht kommen? Dann können andere diese Zeit haben.',
      file: 'In Ihren Kalender eintragen',
      cancelled: 'Dieser Termin wurde abgesagt.',
      over: 'Dieser Termin ist vorbei.',
      begun: 'Dieser Termin hat begonnen und kann nicht mehr abgesagt werden.',
    },
  },
  es: {
    meeting: (whom) => `Cita con ${whom}`,
    greeting: 'Hola:',
    subjects: {
      confirmed: (when) => `Confirmada: su cita del ${when}`,
      moved: (when) => `Cambiada: su cita es ahora el ${when}`,
      reminder: (when) => `Recordatorio: su cita del ${when}`,
      cancelled: (when) => `Cancelada: su cita del ${when}`,
    },
    intros: {
      confirmed: 'Su cita está reservada.',
      moved: 'Su cita tiene una hora nueva. La anterior ya no vale.',
      reminder: 'Su cita es pronto.',
      cancelled: 'Su cita se ha cancelado. No tendrá lugar.',
    },
    when: 'Cuándo',
    about: 'Asunto',
    goOn: 'Ver o cancelar la cita',
    note: 'Nadie lee las respuestas a este correo.',
    why: (whom) => `Recibe este correo porque se reservó una cita con ${whom} con esta dirección.`,
    notYou: 'Si no fue usted, cancélela o ignore este correo.',
    page: {
      cancel: 'Cancelar la cita',
      ask: '¿No puede venir? Así otros podrán usar esta hora.',
      file: 'Añadir a su calendario',
      cancelled: 'Esta cita se ha cancelado.',
      over: 'Esta cita ya ha pasado.',
      begun: 'Esta cita ya ha empezado y no se puede cancelar.',
    },
  },
  fr: {
    meeting: (whom) => `Rendez-vous avec ${whom}`,
    greeting: 'Bonjour,',
    subjects: {
      confirmed: (when) => `Confirmé : votre rendez-vous du ${when}`,
      moved: (when) => `Déplacé : votre rendez-vous est maintenant le ${when}`,
      reminder: (when) => `Rappel : votre rendez-vous du ${when}`,
      cancelled: (when) => `Annulé : votre rendez-vous du ${when}`,
    },
    intros: {
      confirmed: 'Votre rendez-vous est réservé.',
      moved: 'Votre rendez-vous a un nouvel horaire. L’ancien n’est plus valable.',
      reminder: 'Votre rendez-vous approche.',
      cancelled: 'Votre rendez-vous a été annulé. Il n’aura pas lieu.',
    },
    when: 'Quand',
    about: 'Objet',
    goOn: 'Voir ou annuler le rendez-vous',
    note: 'Personne ne lit les réponses à cet e-mail.',
    why: (whom) =>
      `Vous recevez cet e-mail parce qu’un rendez-vous avec ${whom} a été réservé avec cette adresse.`,
    notYou: 'Si ce n’était pas vous, annulez-le ou ignorez cet e-mail.',
    page: {
      cancel: 'Annuler le rendez-vous',
      ask: 'Vous ne pouvez pas venir ? D’autres pourront alors prendre cet horaire.',
      file: 'Ajouter à votre agenda',
      cancelled: 'Ce rendez-vous a été annulé.',
      over: 'Ce rendez-vous est passé.',
      begun: 'Ce rendez-vous a commencé et ne peut plus être annulé.',
    },
  },
  it: {
    meeting: (whom) => `Appuntamento con ${whom}`,
    greeting: 'Buongiorno,',
    subjects: {
      confirmed: (when) => `Confermato: il suo appuntamento del ${when}`,
      moved: (when) => `Spostato: il suo appuntamento è ora il ${when}`,
      reminder: (when) => `Promemoria: il suo appuntamento del ${when}`,
      cancelled: (when) => `Annullato: il suo appuntamento del ${when}`,
    },
    intros: {
      confirmed: 'il suo appuntamento è prenotato.',
      moved: 'il suo appuntamento ha un nuovo orario. Quello precedente non vale più.',
      reminder: 'il suo appuntamento è vicino.',
      cancelled: 'il suo appuntamento è stato annullato. Non avrà luogo.',
    },
    when: 'Quando',
    about: 'Argomento',
    goOn: 'Vedi o annulla l’appuntamento',
    note: 'Nessuno legge le risposte a questa e-mail.',
    why: (whom) =>
      `Riceve questa e-mail perché con questo indirizzo è stato prenotato un appuntamento con ${whom}.`,
    notYou: 'Se non è stato lei, lo annulli o ignori questa e-mail.',
    page: {
      cancel: 'Annulla l’appuntamento',
      ask: 'Non può venire? Così altri potranno usare questo orario.',
      file: 'Aggiungi al suo calendario',
      cancelled: 'Questo appuntamento è stato annullato.',
      over: 'Questo appuntamento è passato.',
      begun: 'Questo appuntamento è iniziato e non può più essere annullato.',
    },
  },
  nl: {
    meeting: (whom) => `Afspraak met ${whom}`,
    greeting: 'Hallo,',
    subjects: {
      confirmed: (when) => `Bevestigd: uw afspraak op ${when}`,
      moved: (when) => `Verzet: uw afspraak is nu op ${when}`,
      reminder: (when) => `Herinnering: uw afspraak op ${when}`,
      cancelled: (when) => `Afgezegd: uw afspraak op ${when}`,
    },
    intros: {
      confirmed: 'Uw afspraak is geboekt.',
      moved: 'Uw afspraak heeft een nieuwe tijd. De vorige geldt niet meer.',
      reminder: 'Uw afspraak is binnenkort.',
      cancelled: 'Uw afspraak is afgezegd. Hij gaat niet door.',
    },
    when: 'Wanneer',
    about: 'Onderwerp',
    goOn: 'Afspraak bekijken of afzeggen',
    note: 'Niemand leest antwoorden op deze mail.',
    why: (whom) => `U krijgt deze mail omdat met dit adres een afspraak met ${whom} is geboekt.`,
    notYou: 'Was u dat niet, zeg hem dan af of negeer deze mail.',
    page: {
      cancel: 'Afspraak afzeggen',
      ask: 'Kunt u niet komen? Dan kunnen anderen deze tijd gebruiken.',
      file: 'In uw agenda zetten',
      cancelled: 'Deze afspraak is afgezegd.',
      over: 'Deze afspraak is voorbij.',
      begun: 'Deze afspraak is begonnen en kan niet meer worden afgezegd.',
    },
  },
  pt: {
    meeting: (whom) => `Reunião com ${whom}`,
    greeting: 'Olá,',
    subjects: {
      confirmed: (when) => `Confirmada: a sua reunião de ${when}`,
      moved: (when) => `Alterada: a sua reunião é agora a ${when}`,
      reminder: (when) => `Lembrete: a sua reunião de ${when}`,
      cancelled: (when) => `Cancelada: a sua reunião de ${when}`,
    },
    intros: {
      confirmed: 'A sua reunião está marcada.',
      moved: 'A sua reunião tem uma nova hora. A anterior já não é válida.',
      reminder: 'A sua reunião é em breve.',
      cancelled: 'A sua reunião foi cancelada. Não se realiza.',
    },
    when: 'Quando',
    about: 'Assunto',
    goOn: 'Ver ou cancelar a reunião',
    note: 'Ninguém lê as respostas a este e-mail.',
    why: (whom) => `Recebe este e-mail porque foi marcada uma reunião com ${whom} com este endereço.`,
    notYou: 'Se não foi você, cancele-a ou ignore este e-mail.',
    page: {
      cancel: 'Cancelar a reunião',
      ask: 'Não pode vir? Assim outros podem usar esta hora.',
      file: 'Adicionar ao seu calendário',
      cancelled: 'Esta reunião foi cancelada.',
      over: 'Esta reunião já passou.',
      begun: 'Esta reunião já começou e já não pode ser cancelada.',
    },
  },
};

/**
 * Returns the text that explains why the recipient gets an email about a meeting. In all emails except
 * cancellations, adds what to do if another person booked the meeting.
 */
export function explainAttendeeMail(
  { why, notYou }: Pick<AttendeeWords, 'why' | 'notYou'>,
  withWhom: string,
  kind: AttendeeMailKind,
): string {
  return kind === 'cancelled' ? why(withWhom) : `${why(withWhom)} ${notYou}`;
}
