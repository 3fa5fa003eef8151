import type { Language } from '../../core/languages.ts';
import { mailCategories, type MailCategory } from '../../services/mail/rendering/mail-templates.ts';

interface Words {
  title: string;
  /** Text above the description of the event that causes the email. */
  when: string;
  button: string;
  done: string;
  /** Text that says how a user can turn the emails on again. */
  later: string;
  categories: Record<MailCategory, string>;
}

/** Texts of the page that confirms turning off a category of email. */
export const unsubscribeWords: Record<Language, Words> = {
  en: {
    title: 'Turn off these emails?',
    when: 'You receive them when this happens:',
    button: 'Turn them off',
    done: 'These emails are turned off.',
    later: 'You can turn them on again in your account.',
    categories: mailCategories,
  },
  de: {
    title: 'Solche Mails abbestellen?',
    when: 'Sie bekommen sie, wenn dies geschieht:',
    button: 'Abbestellen',
    done: 'Sie sind abbestellt.',
    later: 'In Ihrem Konto können Sie sie wieder einschalten.',
    categories: {
      leads: 'Ein Besucher hat Kontaktdaten hinterlassen.',
      handoff: 'Ein Besucher hat um eine Person gebeten.',
      content: 'Ein Dokument oder eine Website konnte nicht gelesen werden.',
      usage: 'Eine Grenze ist erreicht oder nah, etwa die Antworten eines Bots im Monat.',
      health: 'Etwas funktioniert nicht mehr, etwa ein abgeschalteter Webhook.',
      digest: 'Regelmäßige Zusammenfassungen.',
      product: 'Neuigkeiten über Parley.',
      bookings: 'Ein Termin wurde vereinbart, verschoben oder abgesagt.',
    },
  },
  es: {
    title: '¿Dejar de recibir estos correos?',
    when: 'Se envían cuando ocurre lo siguiente:',
    button: 'Dejar de recibirlos',
    done: 'Ya no los recibirá.',
    later: 'Puede volver a activarlos en su cuenta.',
    categories: {
      leads: 'Un visitante ha dejado sus datos de contacto.',
      handoff: 'Un visitante ha pedido hablar con una persona.',
      content: 'No se ha podido leer un documento o un sitio web.',
      usage: 'Se ha alcanzado un límite, o está cerca, como las respuestas de un bot al mes.',
      health: 'Algo ha dejado de funcionar, como un webhook desactivado.',
      digest: 'Resúmenes periódicos.',
      product: 'Novedades de Parley.',
      bookings: 'Se ha reservado, cambiado o cancelado una cita.',
    },
  },
  fr: {
    title: 'Ne plus recevoir ces e-mails ?',
    when: 'Ils vous sont envoyés dans ce cas :',
    button: 'Ne plus les recevoir',
    done: 'Vous ne les recevrez plus.',
    later: 'Vous pouvez les réactiver dans votre compte.',
    categories: {
      leads: 'Un visiteur a laissé ses coordonnées.',
      handoff: 'Un visiteur a demandé à parler à une personne.',
      content: 'Un document ou un site n’a pas pu être lu.',
      usage: 'Une limite est atteinte ou proche, comme les réponses d’un bot par mois.',
      health: 'Quelque chose ne fonctionne plus, comme un webhook désactivé.',
      digest: 'Des résumés réguliers.',
      product: 'Les nouveautés de Parley.',
      bookings: 'Un rendez-vous a été pris, déplacé ou annulé.',
    },
  },
  it: {
    title: 'Non ricevere più queste e-mail?',
    when: 'Vengono inviate quando succede questo:',
    button: 'Non riceverle più',
    done: 'Non le riceverà più.',
    later: 'Può riattivarle nel suo account.',
    categories: {
      leads: 'Un visitatore ha lasciato i suoi recapiti.',
      handoff: 'Un visitatore ha chiesto di parlare con una persona.',
      content: 'Non è stato possibile leggere un documento o un sito.',
      usage: 'Un limite è raggiunto o vicino, come le risposte di un bot in un mese.',
      health: 'Qualcosa non funziona più, come un webhook disattivato.',
      digest: 'Riepiloghi periodici.',
      product: 'Le novità di Parley.',
      bookings: 'Un appuntamento è stato fissato, spostato o annullato.',
    },
  },
  nl: {
    title: 'Zulke mails niet meer ontvangen?',
    when: 'U krijgt ze wanneer dit gebeurt:',
    button: 'Niet meer ontvangen',
    done: 'U ontvangt ze niet meer.',
    later: 'U kunt ze in uw account weer aanzetten.',
    categories: {
      leads: 'Een bezoeker heeft contactgegevens achtergelaten.',
      handoff: 'Een bezoeker heeft om een persoon gevraagd.',
      content: 'Een document of site kon niet worden gelezen.',
      usage: 'Een limiet is bereikt of dichtbij, zoals de antwoorden van een bot per maand.',
      health: 'Er werkt iets niet meer, zoals een uitgeschakelde webhook.',
      digest: 'Regelmatige samenvattingen.',
      product: 'Nieuws over Parley.',
      bookings: 'Een afspraak is gemaakt, verplaatst of afgezegd.',
    },
  },
  pt: {
    title: 'Deixar de receber estes e-mails?',
    when: 'São enviados quando acontece o seguinte:',
    button: 'Deixar de receber',
    done: 'Já não os vai receber.',
    later: 'Pode voltar a ativá-los na sua conta.',
    categories: {
      leads: 'Um visitante deixou os seus contactos.',
      handoff: 'Um visitante pediu para falar com uma pessoa.',
      content: 'Não foi possível ler um documento ou um site.',
      usage: 'Um limite foi atingido ou está próximo, como as respostas de um bot por mês.',
      health: 'Algo deixou de funcionar, como um webhook desativado.',
      digest: 'Resumos periódicos.',
      product: 'Novidades do Parley.',
      bookings: 'Uma reunião foi marcada, alterada ou cancelada.',
    },
  },
};
