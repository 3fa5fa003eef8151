import type { Language } from '../../core/languages.ts';

interface VisitorWords {
  subject(bot: string): string;
  greeting: string;
  intro(bot: string): string;
  /** Label of the button in an email that leads back to the web page of the conversation. */
  goOn(host: string): string;
  note: string;
  why(bot: string): string;
}

/** Translated texts of emails to visitors. Texts that the team itself writes are not part of this file. */
export const visitorWords: Record<Language, VisitorWords> = {
  en: {
    subject: (bot) => `${bot}: an answer to your question`,
    greeting: 'Hello,',
    intro: (bot) => `The team of ${bot} answered you while you were away:`,
    goOn: (host) => `Continue at ${host}`,
    note: 'Replies to this email aren’t monitored. Continue the conversation where you wrote to us.',
    why: (bot) =>
      `You received this because someone left this address in a conversation with ${bot}. If that wasn’t you, you can ignore it.`,
  },
  de: {
    subject: (bot) => `${bot}: eine Antwort auf Ihre Frage`,
    greeting: 'Guten Tag,',
    intro: (bot) => `das Team von ${bot} hat Ihnen geantwortet, während Sie weg waren:`,
    goOn: (host) => `Weiter auf ${host}`,
    note: 'Antworten auf diese Mail liest niemand: Schreiben Sie im Gespräch weiter, wo Sie uns geschrieben haben.',
    why: (bot) =>
      `Sie bekommen diese Mail, weil jemand diese Adresse in einem Gespräch mit ${bot} angegeben hat. Waren das nicht Sie, beachten Sie sie nicht.`,
  },
  es: {
    subject: (bot) => `${bot}: una respuesta a su pregunta`,
    greeting: 'Hola:',
    intro: (bot) => `El equipo de ${bot} le ha respondido mientras no estaba:`,
    goOn: (host) => `Continuar en ${host}`,
    note: 'Nadie lee las respuestas a este correo: continúe en la conversación, donde nos escribió.',
    why: (bot) =>
      `Recibe este correo porque alguien dejó esta dirección en una conversación con ${bot}. Si no fue usted, ignórelo.`,
  },
  fr: {
    subject: (bot) => `${bot} : une réponse à votre question`,
    greeting: 'Bonjour,',
    intro: (bot) => `L’équipe de ${bot} vous a répondu pendant votre absence :`,
    goOn: (host) => `Continuer sur ${host}`,
    note: 'Personne ne lit les réponses à cet e-mail : continuez dans la conversation, là où vous nous avez écrit.',
    why: (bot) =>
      `Vous recevez cet e-mail parce que quelqu’un a donné cette adresse dans une conversation avec ${bot}. Si ce n’était pas vous, ignorez-le.`,
  },
  it: {
    subject: (bot) => `${bot}: una risposta alla sua domanda`,
    greeting: 'Buongiorno,',
    intro: (bot) => `il team di ${bot} le ha risposto mentre non c’era:`,
    goOn: (host) => `Continua su ${host}`,
    note: 'Nessuno legge le risposte a questa e-mail: continui nella conversazione, dove ci ha scritto.',
    why: (bot) =>
      `Riceve questa e-mail perché qualcuno ha lasciato questo indirizzo in una conversazione con ${bot}. Se non è stato lei, la ignori.`,
  },
  nl: {
    subject: (bot) => `${bot}: een antwoord op uw vraag`,
    greeting: 'Hallo,',
    intro: (bot) => `Het team van ${bot} heeft u geantwoord terwijl u weg was:`,
    goOn: (host) => `Verder op ${host}`,
    note: 'Niemand leest antwoorden op deze mail: ga verder in het gesprek, waar u ons schreef.',
    why: (bot) =>
      `U krijgt deze mail omdat iemand dit adres heeft achtergelaten in een gesprek met ${bot}. Was u dat niet, negeer hem dan.`,
  },
  pt: {
    subject: (bot) => `${bot}: uma resposta à sua pergunta`,
    greeting: 'Olá,',
    intro: (bot) => `A equipa de ${bot} respondeu-lhe enquanto esteve fora:`,
    goOn: (host) => `Continuar em ${host}`,
    note: 'Ninguém lê as respostas a este e-mail: continue na conversa, onde nos escreveu.',
    why: (bot) =>
      `Recebe este e-mail porque alguém deixou este endereço numa conversa com ${bot}. Se não foi você, ignore-o.`,
  },
};
