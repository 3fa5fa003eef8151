import type { LanguagePhrases } from './language-phrases.ts';

const TALK =
  '(?:parlare|chattare|comunicare|conversare|discutere|scrivere|essere contattato|essere contattata|essere messo in contatto|essere messa in contatto|mettermi in contatto|essere assistito|essere assistita)';
const HUMAN_WORDS =
  '(?:persona|essere umano|umano|umana|operatore|operatrice|agente|consulente|addetto|addetta|dipendente|impiegato|impiegata|rappresentante|responsabile|incaricato)';
const ARTICLE =
  '(?:(?:una|un|uno|l|il|la|lo|i|gli|le|vostro|vostra|vostri|un vostro|una vostra|il vostro|qualche|altra|altro|vera|vero) )*';
const AFTER = '(?: (?:reale|reali|vera|vero|umano|umana|in carne e ossa|del team|dal vivo|fisica))*';

export const italian: LanguagePhrases = {
  smallTalk: {
    greeting:
      'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|hey|hello|hi|pronto|ciao a tutti|piacere|saluti|buondi',
    how_are_you:
      'come stai|come sta|come va|tutto bene|come butta|come te la passi|come sta oggi|come stai oggi|stai bene|che si dice',
    thanks:
      'grazie|grazie mille|molte grazie|tante grazie|ti ringrazio|la ringrazio|vi ringrazio|grazie tante|grazie infinite|mi hai aiutato|utile|molto utile|mi e stato utile|sei fantastico|sei grande|sei il migliore|ottimo lavoro|bel lavoro|ben fatto|ti amo|ti voglio bene|gentilissimo|molto gentile',
    goodbye:
      'no grazie|arrivederci|arrivederla|a presto|a dopo|a domani|ci vediamo|buona giornata|buona serata|buonanotte|buona notte|buon weekend|buon fine settimana|addio|bye|e tutto|questo e tutto|nient altro|devo andare|non ho altre domande|stammi bene',
    acknowledgement:
      'ok|okay|va bene|d accordo|perfetto|bene|benissimo|ottimo|capito|ho capito|capisco|chiaro|certo|fantastico|bello|bellissimo|wow|lol|haha|ahah|ahahah|hmm|hm|ah|oh|eh|giusto|esatto|prova|questa e una prova|solo una prova|test|niente|nulla|lascia stare|lascia perdere|non importa|nessun problema|interessante|buono a sapersi|eccellente|ricevuto',
    complaint:
      'cosa|come|scusa|eh|non capisco|non ho capito|non ha senso|che vuoi dire|cosa vuoi dire|rispondi alla mia domanda|sei stupido|sei scemo|sei inutile|sei un idiota|sei idiota|sei un cretino|stupido|scemo|idiota|cretino|imbecille|inutile|non servi a niente|non serve a niente|non servi a nulla|merda|vaffanculo|cazzo|che cazzo|stai zitto|zitto|stronzo|e sbagliato|sbagliato|risposta sbagliata|falso|non e vero|non mi aiuta|non mi aiuti|non aiuta|non mi serve|non capisci|non mi capisci|non capisci niente|non mi capisce|non hai risposto|non hai risposto alla mia domanda|non e quello che ho chiesto|non e la mia domanda|ti odio|orribile|terribile|pessimo|fai schifo|che schifo|sono arrabbiato|mi prendi in giro',
    asks_abilities:
      'raccontami una barzelletta|dimmi una barzelletta|mi annoio|mi ami|sposami|quanti anni hai|dove sei|di qualcosa|cosa puoi fare|che cosa puoi fare|cosa sai fare|che cosa sai fare|cosa puo fare|cosa puoi fare per me|cosa fai|come puoi aiutarmi|come mi puoi aiutare|come puo aiutarmi|in cosa puoi aiutarmi|in cosa mi puoi aiutare|aiuto|aiutami|mi aiuti|mi aiuta|puoi aiutarmi|mi puoi aiutare|puo aiutarmi|mi puo aiutare|potresti aiutarmi|potrebbe aiutarmi|mi potresti aiutare|ho bisogno di aiuto|ho bisogno d aiuto|mi serve aiuto|mi serve una mano|ho una domanda|avrei una domanda|ho delle domande|ho un problema|ho un dubbio|una domanda|domanda|posso fare una domanda|posso farti una domanda|posso chiederti una cosa|cosa posso chiedere|cosa posso chiederti|cos e questo|che cos e questo|come funziona|come funzioni|a cosa servi|menu|inizia|informazioni',
    asks_maker:
      'chi ti ha creato|chi ti ha fatto|chi ti ha sviluppato|chi ti ha programmato|chi ti ha costruito|chi ti ha progettato|chi e il tuo creatore|chi sono i tuoi creatori|per chi lavori|da dove vieni|di dove sei|chi c e dietro di te|che modello sei|sei chatgpt|sei gpt|sei claude|sei siri|sei alexa|che ia sei',
    asks_if_bot:
      'ci sei|sei li|sei ancora li|c e qualcuno|qualcuno c e|c e nessuno|c e qualcuno qui|qualcuno|sei un bot|sei un robot|sei una ia|sei un ia|sei umano|sei umana|sei un umano|sei un essere umano|sei una persona|sei una persona reale|sei una persona vera|sei reale|sei vero|sei un chatbot|sei una macchina|lei e un robot|lei e un bot|e un robot|e un bot|questo e un bot|sto parlando con un bot|sto parlando con un robot|sto parlando con una persona|sto parlando con un umano|parlo con un bot|parlo con un robot|parlo con una persona|bot o umano|umano o bot|chi sei|lei chi e|chi e lei|cosa sei|che cosa sei|come ti chiami|come si chiama|qual e il tuo nome|il tuo nome|hai un nome',
  },
  fillers:
    'per favore|per cortesia|per piacere|prego|signore|signora|a tutti|a te|a lei|a voi|tu|lei|bot|robot|team|molto|molte|tanto|ancora|allora|quindi|e|si|no|ma|per l aiuto|per il tuo aiuto|per il suo aiuto|per la risposta|per le informazioni|per l informazione|per tutto|per niente|di nuovo|di tutto|oggi|dai|davvero',
  intensifiers: 'davvero|veramente|proprio|solo|mica',
  person: {
    any: `${ARTICLE}(?:${HUMAN_WORDS}|qualcuno|assistenza clienti|servizio clienti|assistenza|supporto|team|staff|persone)${AFTER}(?: (?:del|della|dell|dal) (?:vostro |vostra )?(?:team|staff|assistenza|servizio clienti))?`,
    human: `${ARTICLE}(?:${HUMAN_WORDS}|assistenza clienti|servizio clienti)${AFTER}`,
    requests: [
      `(?:io )?(?:vorrei|voglio|desidero|preferirei|preferisco|ho bisogno di|avrei bisogno di|devo|posso|potrei|si puo|e possibile|sarebbe possibile|come posso|come faccio a|come si fa a|come|mi fai|mi fa|fammi|mi faccia|fatemi|vorremmo|possiamo|c e modo di) ${TALK}(?: direttamente)? (?:con|a|da) ?{person}`,
      `${TALK} (?:con|a|da) ?{person}`,
      `(?:(?:mi )?(?:puo|puoi|potrebbe|potresti|potete) )?(?:mi )?(?:passi|passa|passami|passare|passarmi|passate|metta|metti|mettere|mettermi|mettimi|mettetemi|colleghi|collega|collegami|collegarmi|trasferisca|trasferisci|trasferiscimi|trasferirmi|connetti|connettimi)(?: (?:in (?:contatto|comunicazione|linea)))? (?:(?:con|a|ad) )?{person}`,
      `(?:(?:puo|potrebbe) )?(?:qualcuno|una persona|un operatore|un umano) (?:mi )?(?:(?:puo|potrebbe) )?(?:mi )?(?:aiutare|aiutarmi|rispondere|rispondermi|chiamare|chiamarmi|richiamare|richiamarmi|contattarmi)`,
      `non voglio parlare con (?:un|una|questo|questa) (?:robot|bot|macchina|ia|chatbot)`,
    ],
    shortRequests: [
      `(?:mi (?:chiami|richiami|chiamate|richiamate)|chiamami|richiamami|chiamatemi)`,
      `(?:voglio|vorrei|cerco|desidero|pretendo|mi serve|dammi|mi dia|preferisco) {human}`,
      `(?:ho|avrei) bisogno (?:di|d) ?{human}`,
      `{human}`,
      `(?:c e|ci sono) (?:qualcuno|una persona|un operatore|un umano|operatori)(?: (?:li|qui|la|disponibile|disponibili|online|che mi puo aiutare|che possa aiutarmi|con cui parlare|con cui posso parlare))*`,
    ],
    continuations:
      'di|del|della|dell|per|perche|riguardo|circa|su|sul|sulla|che|non|e|adesso|ora|subito|oggi|direttamente|grazie|qui|in|al|o|invece',
  },
};
