import type { Language } from '../../../core/languages.ts';

export const weekFigures = [
  'conversations',
  'leads',
  'handoffs',
  'unanswered',
  'bookings',
  'failedDocuments',
] as const;
export type WeekFigure = (typeof weekFigures)[number];

interface WeekWords extends Record<WeekFigure, string> {
  /** @param org name of the workspace; null if the email covers several workspaces */
  subject(org: string | null): string;
  greeting: string;
  intro(from: string, to: string): string;
  before(count: string): string;
  open: string;
  why: string;
  turnOff: string;
}

/** Translated texts of the weekly summary email. */
export const weekWords: Record<Language, WeekWords> = {
  en: {
    subject: (org) => (org === null ? 'Your week' : `Your week: ${org}`),
    greeting: 'Hello,',
    intro: (from, to) => `Here is what happened in the week from ${from} to ${to}.`,
    before: (count) => `the week before: ${count}`,
    open: 'Open the console',
    why: 'You receive this on Mondays, unless nothing has happened.',
    turnOff: 'Unsubscribe',
    conversations: 'Conversations',
    leads: 'Leads',
    handoffs: 'Visitors who asked for a person',
    unanswered: 'Questions without an answer',
    bookings: 'Meetings booked',
    failedDocuments: 'Documents that could not be read',
  },
  de: {
    subject: (org) => (org === null ? 'Ihre Woche' : `Ihre Woche: ${org}`),
    greeting: 'Guten Tag,',
    intro: (from, to) => `das hat die Woche vom ${from} bis zum ${to} gebracht.`,
    before: (count) => `Woche davor: ${count}`,
    open: 'Konsole öffnen',
    why: 'Sie bekommen diese Mail montags, wenn etwas geschehen ist.',
    turnOff: 'Solche Mails abschalten',
    conversations: 'Gespräche',
    leads: 'Kontaktanfragen',
    handoffs: 'Besucher, die einen Menschen wollten',
    unanswered: 'Fragen ohne Antwort',
    bookings: 'Gebuchte Termine',
    failedDocuments: 'Dokumente, die nicht gelesen werden konnten',
  },
  es: {
    subject: (org) => (org === null ? 'Su semana' : `Su semana: ${org}`),
    greeting: 'Hola:',
    intro: (from, to) => `Esto es lo que trajo la semana del ${from} al ${to}.`,
    before: (count) => `semana anterior: ${count}`,
    open: 'Abrir la consola',
    why: 'Recibe este correo los lunes, salvo que no haya ocurrido nada.',
    turnOff: 'Desactivar estos correos',
    conversations: 'Conversaciones',
    leads: 'Contactos nuevos',
    handoffs: 'Visitantes que pidieron una persona',
    unanswered: 'Preguntas sin respuesta',
    bookings: 'Reuniones reservadas',
    failedDocuments: 'Documentos que no se pudieron leer',
  },
  fr: {
    subject: (org) => (org === null ? 'Votre semaine' : `Votre semaine : ${org}`),
    greeting: 'Bonjour,',
    intro: (from, to) => `Voici ce que la semaine du ${from} au ${to} a apporté.`,
    before: (count) => `semaine précédente : ${count}`,
    open: 'Ouvrir la console',
    why: 'Vous recevez cet e-mail le lundi, sauf s’il ne s’est rien passé.',
    turnOff: 'Ne plus recevoir ces e-mails',
    conversations: 'Conversations',
    leads: 'Nouveaux contacts',
    handoffs: 'Visiteurs qui ont demandé une personne',
    unanswered: 'Questions sans réponse',
    bookings: 'Rendez-vous pris',
    failedDocuments: 'Documents qui n’ont pas pu être lus',
  },
  it: {
    subject: (org) => (org === null ? 'La sua settimana' : `La sua settimana: ${org}`),
    greeting: 'Buongiorno,',
    intro: (from, to) => `ecco che cosa ha portato la settimana dal ${from} al ${to}.`,
    before: (count) => `settimana precedente: ${count}`,
    open: 'Apri la console',
    why: 'Riceve questa e-mail il lunedì, a meno che non sia successo nulla.',
    turnOff: 'Disattiva queste e-mail',
    conversations: 'Conversazioni',
    leads: 'Nuovi contatti',
    handoffs: 'Visitatori che hanno chiesto una persona',
    unanswered: 'Domande senza risposta',
    bookings: 'Appuntamenti prenotati',
    failedDocuments: 'Documenti che non è stato possibile leggere',
  },
  nl: {
    subject: (org) => (org === null ? 'Uw week' : `Uw week: ${org}`),
    greeting: 'Hallo,',
    intro: (from, to) => `Dit heeft de week van ${from} tot ${to} gebracht.`,
    before: (count) => `week ervoor: ${count}`,
    open: 'Console openen',
    why: 'U krijgt deze mail op maandag, tenzij er niets is gebeurd.',
    turnOff: 'Dit soort mails uitzetten',
    conversations: 'Gesprekken',
    leads: 'Achtergelaten contactgegevens',
    handoffs: 'Bezoekers die om een mens vroegen',
    unanswered: 'Vragen zonder antwoord',
    bookings: 'Geboekte afspraken',
    failedDocuments: 'Documenten die niet gelezen konden worden',
  },
  pt: {
    subject: (org) => (org === null ? 'A sua semana' : `A sua semana: ${org}`),
    greeting: 'Olá,',
    intro: (from, to) => `Eis o que trouxe a semana de ${from} a ${to}.`,
    before: (count) => `semana anterior: ${count}`,
    open: 'Abrir a consola',
    why: 'Recebe este e-mail às segundas-feiras, a não ser que nada tenha acontecido.',
    turnOff: 'Desativar estes e-mails',
    conversations: 'Conversas',
    leads: 'Novos contactos',
    handoffs: 'Visitantes que pediram uma pessoa',
    unanswered: 'Perguntas sem resposta',
    bookings: 'Reuniões marcadas',
    failedDocuments: 'Documentos que não puderam ser lidos',
  },
};
