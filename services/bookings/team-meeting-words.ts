import type { Language } from '../../core/languages.ts';
import type { Canceller } from '../../entities/bookings/booking.entity.ts';

export type TeamMeetingKind = 'booked' | 'moved' | 'cancelled' | 'conflict';

interface TeamMeetingWords {
  /**
   * Subject lines of the emails to the team about meetings.
   * @param when formatted day and time of the meeting
   */
  subjects: Record<TeamMeetingKind, (when: string) => string>;
  greeting: string;
  intros: Record<TeamMeetingKind, (org: string) => string>;
  when: string;
  what: string;
  who: string;
  /** Label in an email in front of the person who canceled the meeting. */
  by: string;
  cancellers: Record<Canceller, string>;
  /**
   * Note in the last email about meetings that a member gets on one day.
   * @param max maximum number of emails a day
   */
  last: (max: number) => string;
  open: string;
  why: string;
  turnOff: string;
}

/** Translated texts of emails to the team about meetings. */
export const teamMeetingWords: Record<Language, TeamMeetingWords> = {
  en: {
    subjects: {
      booked: (when) => `Meeting booked: ${when}`,
      moved: (when) => `Meeting moved: ${when}`,
      cancelled: (when) => `Meeting canceled: ${when}`,
      conflict: (when) => `Meeting clash: ${when}`,
    },
    greeting: 'Hello,',
    intros: {
      booked: (org) => `A meeting was booked in the workspace ${org}.`,
      moved: (org) => `A meeting in the workspace ${org} has a new time.`,
      cancelled: (org) => `A meeting in the workspace ${org} was canceled. Its time is free again.`,
      conflict: (org) =>
        `A meeting in the workspace ${org} clashes with something else in the calendar. The meeting has not been canceled: move one of the two in the calendar, or cancel the meeting.`,
    },
    when: 'When',
    what: 'What',
    who: 'Who',
    by: 'Canceled by',
    cancellers: {
      team: 'the team',
      attendee: 'the attendee',
      calendar: 'a deletion in the calendar',
      erasure: 'the erasure of its contact',
    },
    last: (max) =>
      `You have received ${max} emails about meetings within a day. No more of these emails are sent until you are below this limit again; the bookings show all further changes.`,
    open: 'Open the bookings',
    why: 'You get this email when a meeting is booked, moved or canceled.',
    turnOff: 'Turn off emails like this',
  },
  de: {
    subjects: {
      booked: (when) => `Termin gebucht: ${when}`,
      moved: (when) => `Termin verschoben: ${when}`,
      cancelled: (when) => `Termin abgesagt: ${when}`,
      conflict: (when) => `Terminüberschneidung: ${when}`,
    },
    greeting: 'Guten Tag,',
    intros: {
      booked: (org) => `im Arbeitsbereich ${org} wurde ein Termin gebucht.`,
      moved: (org) => `ein Termin im Arbeitsbereich ${org} hat eine neue Zeit.`,
      cancelled: (org) => `ein Termin im Arbeitsbereich ${org} wurde abgesagt. Seine Zeit ist wieder frei.`,
      conflict: (org) =>
        `ein Termin im Arbeitsbereich ${org} überschneidet sich mit etwas anderem im Kalender. Er wurde nicht abgesagt: Verschieben Sie eines von beiden im Kalender, oder sagen Sie den Termin ab.`,
    },
    when: 'Wann',
    what: 'Was',
    who: 'Wer',
    by: 'Abgesagt durch',
    cancellers: {
      team: 'das Team',
      attendee: 'den Gast',
      calendar: 'Löschen im Kalender',
      erasure: 'das Löschen des Kontakts',
    },
    last: (max) =>
      `Sie haben innerhalb eines Tages ${max} Mails zu Terminen bekommen. Bis es weniger sind, werden keine mehr geschickt: Was sonst geschieht, steht bei den Terminen.`,
    open: 'Termine öffnen',
    why: 'Sie bekommen diese Mail, wenn ein Termin gebucht, verschoben oder abgesagt wird.',
    turnOff: 'Solche Mails abschalten',
  },
  es: {
    subjects: {
      booked: (when) => `Cita reservada: ${when}`,
      moved: (when) => `Cita cambiada: ${when}`,
      cancelled: (when) => `Cita cancelada: ${when}`,
      conflict: (when) => `Cita que coincide con otra cosa: ${when}`,
    },
    greeting: 'Hola:',
    intros: {
      booked: (org) => `Se ha reservado una cita en el espacio ${org}.`,
      moved: (org) => `Una cita del espacio ${org} tiene una hora nueva.`,
      cancelled: (org) => `Se ha cancelado una cita del espacio ${org}. Su hora vuelve a estar libre.`,
      conflict: (org) =>
        `Hay otra cosa en el calendario a la hora de una cita del espacio ${org}. No se ha cancelado: cambie una de las dos en el calendario o cancele la cita.`,
    },
    when: 'Cuándo',
    what: 'Qué',
    who: 'Quién',
    by: 'Cancelada por',
    cancellers: {
      team: 'el equipo',
      attendee: 'el asistente',
      calendar: 'quien la borró en el calendario',
      erasure: 'el borrado de su contacto',
    },
    last: (max) =>
      `Ha recibido ${max} correos sobre citas en un día. Hasta que sean menos no se envían más: lo demás está entre las citas.`,
    open: 'Abrir las citas',
    why: 'Recibe este correo cuando se reserva, cambia o cancela una cita.',
    turnOff: 'Desactivar estos correos',
  },
  fr: {
    subjects: {
      booked: (when) => `Rendez-vous réservé : ${when}`,
      moved: (when) => `Rendez-vous déplacé : ${when}`,
      cancelled: (when) => `Rendez-vous annulé : ${when}`,
      conflict: (when) => `Rendez-vous en conflit : ${when}`,
    },
    greeting: 'Bonjour,',
    intros: {
      booked: (org) => `Un rendez-vous a été réservé dans l’espace ${org}.`,
      moved: (org) => `Un rendez-vous de l’espace ${org} a un nouvel horaire.`,
      cancelled: (org) => `Un rendez-vous de l’espace ${org} a été annulé. Son horaire est de nouveau libre.`,
      conflict: (org) =>
        `Autre chose figure dans l’agenda à l’heure d’un rendez-vous de l’espace ${org}. Il n’a pas été annulé : déplacez l’un des deux dans l’agenda, ou annulez le rendez-vous.`,
    },
    when: 'Quand',
    what: 'Quoi',
    who: 'Qui',
    by: 'Annulé par',
    cancellers: {
      team: 'l’équipe',
      attendee: 'le participant',
      calendar: 'sa suppression dans l’agenda',
      erasure: 'l’effacement de son contact',
    },
    last: (max) =>
      `Vous avez reçu ${max} e-mails sur des rendez-vous en un jour. D’ici à ce qu’il y en ait moins, aucun autre n’est envoyé : le reste figure parmi les rendez-vous.`,
    open: 'Ouvrir les rendez-vous',
    why: 'Vous recevez cet e-mail quand un rendez-vous est réservé, déplacé ou annulé.',
    turnOff: 'Ne plus recevoir ces e-mails',
  },
  it: {
    subjects: {
      booked: (when) => `Appuntamento prenotato: ${when}`,
      moved: (when) => `Appuntamento spostato: ${when}`,
      cancelled: (when) => `Appuntamento annullato: ${when}`,
      conflict: (when) => `Appuntamento in conflitto: ${when}`,
    },
    greeting: 'Buongiorno,',
    intros: {
      booked: (org) => `è stato prenotato un appuntamento nello spazio ${org}.`,
      moved: (org) => `un appuntamento dello spazio di lavoro ${org} ha un nuovo orario.`,
      cancelled: (org) =>
        `un appuntamento dello spazio di lavoro ${org} è stato annullato. L’orario è di nuovo libero.`,
      conflict: (org) =>
        `nel calendario c’è altro all’ora di un appuntamento dello spazio di lavoro ${org}. Non è stato annullato: sposti uno dei due nel calendario, o annulli l’appuntamento.`,
    },
    when: 'Quando',
    what: 'Che cosa',
    who: 'Chi',
    by: 'Annullato da',
    cancellers: {
      team: 'il team',
      attendee: 'il partecipante',
      calendar: 'chi lo ha eliminato nel calendario',
      erasure: 'la cancellazione del contatto',
    },
    last: (max) =>
      `Ha ricevuto ${max} e-mail sugli appuntamenti in un giorno. Finché non saranno di meno non ne arrivano altre: il resto è tra gli appuntamenti.`,
    open: 'Apri gli appuntamenti',
    why: 'Riceve questa e-mail quando un appuntamento viene prenotato, spostato o annullato.',
    turnOff: 'Disattiva queste e-mail',
  },
  nl: {
    subjects: {
      booked: (when) => `Afspraak geboekt: ${when}`,
      moved: (when) => `Afspraak verzet: ${when}`,
      cancelled: (when) => `Afspraak afgezegd: ${when}`,
      conflict: (when) => `Afspraak valt samen: ${when}`,
    },
    greeting: 'Hallo,',
    intros: {
      booked: (org) => `Er is een afspraak geboekt in de werkruimte ${org}.`,
      moved: (org) => `Een afspraak in de werkruimte ${org} heeft een nieuwe tijd.`,
      cancelled: (org) => `Een afspraak in de werkruimte ${org} is afgezegd. De tijd is weer vrij.`,
      conflict: (org) =>
        `Er staat iets anders in de agenda op de tijd van een afspraak in de werkruimte ${org}. Die is niet afgezegd: verzet een van beide in de agenda, of zeg de afspraak af.`,
    },
    when: 'Wanneer',
    what: 'Wat',
    who: 'Wie',
    by: 'Afgezegd door',
    cancellers: {
      team: 'het team',
      attendee: 'de deelnemer',
      calendar: 'wie hem uit de agenda verwijderde',
      erasure: 'het wissen van het contact',
    },
    last: (max) =>
      `U hebt binnen een dag ${max} mails over afspraken gekregen. Tot het er minder zijn worden er geen meer verstuurd: wat er verder gebeurt staat bij de afspraken.`,
    open: 'Afspraken openen',
    why: 'U krijgt deze mail wanneer een afspraak wordt geboekt, verzet of afgezegd.',
    turnOff: 'Dit soort mails uitzetten',
  },
  pt: {
    subjects: {
      booked: (when) => `Reunião marcada: ${when}`,
      moved: (when) => `Reunião alterada: ${when}`,
      cancelled: (when) => `Reunião cancelada: ${when}`,
      conflict: (when) => `Reunião em conflito: ${when}`,
    },
    greeting: 'Olá,',
    intros: {
      booked: (org) => `Foi marcada uma reunião no espaço ${org}.`,
      moved: (org) => `Uma reunião do espaço ${org} tem uma nova hora.`,
      cancelled: (org) => `Uma reunião do espaço ${org} foi cancelada. A hora está livre de novo.`,
      conflict: (org) =>
        `Há outra coisa no calendário à hora de uma reunião do espaço ${org}. Não foi cancelada: mude uma das duas no calendário, ou cancele a reunião.`,
    },
    when: 'Quando',
    what: 'O quê',
    who: 'Quem',
    by: 'Cancelada por',
    cancellers: {
      team: 'a equipa',
      attendee: 'o participante',
      calendar: 'quem a apagou no calendário',
      erasure: 'a eliminação do contacto',
    },
    last: (max) =>
      `Recebeu ${max} e-mails sobre reuniões num dia. Enquanto não forem menos, não são enviados mais: o resto está entre as reuniões.`,
    open: 'Abrir as reuniões',
    why: 'Recebe este e-mail quando uma reunião é marcada, alterada ou cancelada.',
    turnOff: 'Desativar estes e-mails',
  },
};
