import { italianWords } from './words/it.ts';
import type { LanguagePhrases } from './language-phrases.ts';

export const italian: LanguagePhrases = {
  smallTalk: {
    denial: 'no|nope|non ora|non adesso|non ancora|non proprio|assolutamente no|certo che no|per niente',
    affirmation:
      'si|si si|si per favore|si grazie|si certo|certo che si|certamente|assolutamente|assolutamente si|volentieri|ma certo|faccia pure|fai pure|sarebbe ottimo|sarebbe fantastico|sarebbe bello|sarebbe perfetto|magari si',
    greeting:
      'ciao|salve|buongiorno|buon giorno|buonasera|buona sera|buon pomeriggio|ehi|hey|hello|hi|pronto|ciao a tutti|piacere|saluti|buondi',
    pause:
      'un istante|un istante per favore|un momento|un momento per favore|un momentino|un attimo|un attimo per favore|un attimino|attimo|un secondo|un minuto|aspetta|aspetti|aspetta un attimo|aspetti un attimo|aspetta un momento|aspetti un momento|attenda|attendi|torno subito|fammi pensare|mi faccia pensare|ci penso|ci devo pensare|vediamo|fammi vedere|forse|magari|puo darsi|non so|non lo so|boh|non saprei|non sono sicuro|non sono sicura|nessuna idea|dipende|stop|fermati|si fermi|basta cosi',
    gives_details:
      'la mia email e|la mia mail e|il mio indirizzo email e|il mio indirizzo e|email|mail|il mio numero e|il mio numero di telefono e|il mio telefono e|il mio cellulare e|telefono|tel|cell|il mio numero d ordine e|ecco il mio numero|ecco la mia email|mi trova al|mi trovate al',
    how_are_you:
      'come stai|come sta|come va|tutto bene|come butta|come te la passi|come sta oggi|come stai oggi|stai bene|che si dice',
    thanks:
      'grazie|grazie mille|molte grazie|tante grazie|ti ringrazio|la ringrazio|vi ringrazio|grazie tante|grazie infinite|mi hai aiutato|utile|molto utile|mi e stato utile|sei fantastico|sei grande|sei il migliore|ottimo lavoro|bel lavoro|ben fatto|ti amo|ti voglio bene|gentilissimo|molto gentile',
    goodbye:
      'no grazie|ciao|arrivederci|arrivederla|a presto|a dopo|a domani|ci vediamo|buona giornata|le auguro una buona giornata|buona giornata a lei|buona continuazione|buon proseguimento|alla prossima|ci sentiamo|cordiali saluti|altrettanto|anche a lei|a risentirci|buona serata|buonanotte|buona notte|buon weekend|buon fine settimana|addio|bye|e tutto|questo e tutto|nient altro|devo andare|non ho altre domande|stammi bene',
    acknowledgement:
      'ok|okay|va bene|d accordo|perfetto|bene|benissimo|ottimo|capito|ho capito|capisco|chiaro|certo|fantastico|bello|bellissimo|wow|lol|haha|ahah|ahahah|hmm|hm|ah|oh|eh|giusto|esatto|prova|questa e una prova|solo una prova|test|niente|nulla|lascia stare|lascia perdere|non importa|nessun problema|interessante|buono a sapersi|eccellente|ricevuto',
    complaint:
      'cosa|come|scusa|eh|non capisco|non ho capito|non ha senso|che vuoi dire|cosa vuoi dire|rispondi alla mia domanda|sei stupido|sei scemo|sei inutile|sei un idiota|sei idiota|sei un cretino|stupido|scemo|idiota|cretino|imbecille|inutile|non servi a niente|non serve a niente|non servi a nulla|merda|vaffanculo|cazzo|che cazzo|stai zitto|zitto|stronzo|e sbagliato|sbagliato|risposta sbagliata|falso|non e vero|non mi aiuta|non mi aiuti|non aiuta|non mi serve|non capisci|non mi capisci|non capisci niente|non mi capisce|non hai risposto|non hai risposto alla mia domanda|non e quello che ho chiesto|non e la mia domanda|ti odio|orribile|terribile|pessimo|fai schifo|che schifo|sono arrabbiato|mi prendi in giro',
    asks_abilities:
      'di piu|continua|continui|vai avanti|dimmi di piu|mi dica di piu|piu informazioni|raccontami una barzelletta|dimmi una barzelletta|mi annoio|mi ami|sposami|quanti anni hai|dove sei|di qualcosa|cosa puoi fare|che cosa puoi fare|cosa sai fare|che cosa sai fare|cosa puo fare|cosa puoi fare per me|cosa fai|come puoi aiutarmi|come mi puoi aiutare|come puo aiutarmi|in cosa puoi aiutarmi|in cosa mi puoi aiutare|aiuto|aiutami|mi aiuti|mi aiuta|puoi aiutarmi|mi puoi aiutare|puo aiutarmi|mi puo aiutare|potresti aiutarmi|potrebbe aiutarmi|mi potresti aiutare|ho bisogno di aiuto|ho bisogno d aiuto|mi serve aiuto|mi serve una mano|ho una domanda|avrei una domanda|ho delle domande|ho un problema|ho un dubbio|una domanda|domanda|posso fare una domanda|posso farti una domanda|posso chiederti una cosa|cosa posso chiedere|cosa posso chiederti|cos e questo|che cos e questo|come funziona|come funzioni|a cosa servi|menu|inizia|informazioni',
    asks_maker:
      'quale modello di ia|che modello|quale ia|chi ti ha creato|chi ti ha fatto|chi ti ha sviluppato|chi ti ha programmato|chi ti ha costruito|chi ti ha progettato|chi e il tuo creatore|chi sono i tuoi creatori|per chi lavori|da dove vieni|di dove sei|chi c e dietro di te|che modello sei|sei chatgpt|sei gpt|sei claude|sei siri|sei alexa|che ia sei',
    asks_if_bot:
      'ci sei|sei li|sei ancora li|c e qualcuno|qualcuno c e|c e nessuno|c e qualcuno qui|qualcuno|sei un bot|sei un robot|sei una ia|sei un ia|sei umano|sei umana|sei un umano|sei un essere umano|sei una persona|sei una persona reale|sei una persona vera|sei reale|sei vero|sei un chatbot|sei una macchina|lei e un robot|lei e un bot|e un robot|e un bot|questo e un bot|sto parlando con un bot|sto parlando con un robot|sto parlando con una persona|sto parlando con un umano|parlo con un bot|parlo con un robot|parlo con una persona|bot o umano|umano o bot|chi sei|lei chi e|chi e lei|cosa sei|che cosa sei|come ti chiami|come si chiama|qual e il tuo nome|il tuo nome|hai un nome',
  },
  names: 'mi chiamo|il mio nome e',
  thanksFor: 'per|di|dell|del|della',
  questionWords:
    'cosa|che|come|quando|dove|quale|quali|chi|perche|quanto|quanta|ma|posso|puo|non|vorrei|voglio|c',
  words: italianWords,
  fillers:
    'per favore|per cortesia|per piacere|prego|signore|signora|a tutti|a te|a lei|a voi|tu|lei|bot|robot|team|molto|molte|tanto|ancora|allora|quindi|e|si|no|ma|per l aiuto|per il tuo aiuto|per il suo aiuto|per la risposta|per le informazioni|per l informazione|per tutto|per niente|di nuovo|di tutto|oggi|dai|davvero',
  intensifiers: 'davvero|veramente|proprio|solo|mica',
  continuations:
    'di|del|della|dell|per|perche|riguardo|circa|su|sul|sulla|che|non|e|adesso|ora|subito|oggi|direttamente|grazie|qui|in|al|o|invece',
};
