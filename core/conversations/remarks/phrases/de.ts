import { germanWords } from './words/de.ts';
import type { LanguagePhrases } from './language-phrases.ts';

export const german: LanguagePhrases = {
  smallTalk: {
    denial:
      'nein|ne|nee|no|nope|noe|eher nicht|nicht wirklich|jetzt nicht|noch nicht|auf keinen fall|naturlich nicht',
    affirmation:
      'ja|jo|jep|jup|jawohl|ja bitte|ja gerne|ja gern|gerne|gern|klar|na klar|ja klar|sicher|aber sicher|naturlich|selbstverstandlich|unbedingt|auf jeden fall|ja danke|das ware super|das ware toll|das ware nett|das ware gut|das ware schon|bitte machen sie das|mach das|machen sie das',
    greeting:
      'hallo|ciao|hallochen|hi|hey|hallihallo|moin|moin moin|servus|gruss gott|gruezi|grussi|guten tag|guten morgen|guten abend|tag|morgen|abend|mahlzeit|na|schonen guten tag|schonen guten morgen|schonen guten abend|sei gegrusst|gruss dich|schonen tag',
    pause:
      'moment|moment bitte|einen moment|einen moment bitte|einen augenblick|augenblick|augenblick bitte|eine sekunde|sekunde|ne sekunde|eine minute|kurz warten|warte|warte mal|warten|warten sie|warten sie bitte|bitte warten|bin gleich zuruck|bin gleich wieder da|gleich|ich schau mal|ich schaue nach|ich muss nachdenken|ich uberlege noch|ich uberlege es mir|vielleicht|vielleicht spater|eventuell|mal sehen|mal schauen|weiss nicht|weiss ich nicht|ich weiss nicht|ich weiss es nicht|keine ahnung|bin mir nicht sicher|ich bin mir nicht sicher|kommt drauf an|stopp|stop|halt|genug',
    gives_details:
      'meine email ist|meine e mail ist|meine mail ist|meine e mail adresse ist|meine emailadresse ist|email|e mail|mail|meine nummer ist|meine telefonnummer ist|meine handynummer ist|telefon|tel|handy|meine bestellnummer ist|bestellnummer|meine kundennummer ist|kundennummer|sie erreichen mich unter|erreichbar unter|ich bin erreichbar unter|hier ist meine nummer|hier meine nummer',
    how_are_you:
      'wie geht es dir|wie geht es ihnen|wie geht s|wie gehts|wie gehts dir|wie geht s dir|wie geht s ihnen|was geht|na wie gehts|alles klar bei dir|alles gut|alles gut bei dir|wie lauft s|wie laufts|wie ist dein tag',
    thanks:
      'danke|danke schon|dankeschon|danke sehr|vielen dank|vielen lieben dank|herzlichen dank|besten dank|lieben dank|ich danke dir|ich danke ihnen|merci|thx|thanks|das hat geholfen|das hilft mir|das hilft|sehr hilfreich|hilfreich|du bist super|du bist toll|du bist der beste|gut gemacht|guter bot|ich liebe dich|super danke|danke dir|danke ihnen|tausend dank',
    goodbye:
      'nein danke|danke nein|das reicht|das genugt|tschuss|tschuess|tschau|ciao|auf wiedersehen|auf wiederschauen|wiedersehen|bis bald|bis dann|bis spater|bis morgen|gute nacht|schonen tag|schonen abend|einen schonen tag|einen schonen abend|wunsche einen schonen tag|schonen tag noch|schone woche|schonen feierabend|schonen nachmittag|schones we|bis zum nachsten mal|bis nachher|bis nachste woche|gleichfalls|ebenso|bis die tage|man sieht sich|schonen abend noch|schones wochenende|machs gut|mach s gut|servus|bye|ade|das war alles|das wars|das war s|das ist alles|ich muss los|mehr brauche ich nicht|keine weiteren fragen',
    acknowledgement:
      'ok|okay|okey|gut|alles klar|super|toll|klasse|prima|perfekt|schon|verstanden|verstehe|ich verstehe|aha|ach so|achso|in ordnung|passt|geht klar|cool|wow|lol|haha|hmm|hm|mhm|stimmt|genau|richtig|test|nur ein test|das ist ein test|ich teste nur|nichts|egal|schon gut|kein problem|interessant|gut zu wissen|wunderbar|sehr gut|alles gut|spitze|mega|top',
    complaint:
      'wie bitte|was|hä|hae|ich verstehe nicht|ich verstehe das nicht|versteh ich nicht|das ergibt keinen sinn|beantworte meine frage|so ein schwachsinn|schwachsinn|blodsinn|was meinst du|was meinen sie|du bist dumm|du bist doof|du bist blod|du bist nutzlos|sie sind nutzlos|dumm|dummer bot|blod|bloder bot|doof|idiot|du idiot|depp|arschloch|scheisse|scheiss bot|halt die klappe|halts maul|leck mich|fick dich|verpiss dich|nutzlos|unnutz|das ist falsch|falsch|das stimmt nicht|stimmt nicht|falsche antwort|das hilft nicht|das hilft mir nicht|das hilft mir nicht weiter|nicht hilfreich|das hat nicht geholfen|du verstehst mich nicht|du verstehst nicht|sie verstehen mich nicht|das war nicht meine frage|das habe ich nicht gefragt|das ist keine antwort|keine antwort|ich hasse dich|schlecht|schrecklich|furchtbar|was soll das|was soll der mist|so ein mist|mist|verdammt|du nervst|unmoglich|frechheit|bist du dumm|willst du mich verarschen',
    asks_abilities:
      'mehr|weiter|erzahl mir mehr|erzahlen sie mir mehr|mehr infos|mehr informationen|mehr details|erzahl mir einen witz|erzahl einen witz|mir ist langweilig|liebst du mich|heirate mich|wie alt bist du|wo bist du|sag etwas|sag was|was kannst du|was konnen sie|was kannst du alles|was kannst du fur mich tun|was konnen sie fur mich tun|was machst du|was kann ich dich fragen|was kann ich fragen|wobei kannst du mir helfen|wobei kannst du helfen|wobei konnen sie mir helfen|wie kannst du mir helfen|wie kannst du helfen|wie konnen sie mir helfen|hilfe|hilf mir|helfen sie mir|kannst du mir helfen|konnen sie mir helfen|konnt ihr mir helfen|kannst du helfen|ich brauche hilfe|ich benotige hilfe|brauche hilfe|ich habe eine frage|ich hatte eine frage|ich hab eine frage|ich hab ne frage|ich habe fragen|ich habe ein problem|ich hab ein problem|darf ich etwas fragen|darf ich dich etwas fragen|kann ich etwas fragen|frage|eine frage|was ist das|was ist das hier|wie funktioniert das|wie funktionierst du|was weisst du|start|menu',
    asks_maker:
      'welches ki modell|welche ki|welches modell|welches sprachmodell|wer hat dich gemacht|wer hat dich erstellt|wer hat dich gebaut|wer hat dich entwickelt|wer hat dich programmiert|wer hat dich erschaffen|wer hat dich trainiert|wer ist dein schopfer|wer sind deine entwickler|wer ist dein entwickler|fur wen arbeitest du|woher kommst du|wo kommst du her|wem gehorst du|wer steckt hinter dir|wer steht hinter dir|welches modell bist du|welche ki bist du|bist du chatgpt|bist du gpt|bist du claude|bist du gemini|bist du siri|bist du alexa|welches sprachmodell bist du',
    asks_if_bot:
      'bist du da|sind sie da|bist du noch da|bot oder echter mensch|ist da jemand|ist jemand da|jemand da|ist hier jemand|ist jemand hier|da jemand|noch jemand da|bist du ein bot|bist du ein roboter|bist du ein chatbot|bist du eine ki|bist du ki|bist du ein mensch|bist du ein echter mensch|bist du echt|bist du eine maschine|bist du eine echte person|bist du eine person|sind sie ein bot|sind sie ein roboter|sind sie ein mensch|sind sie ein echter mensch|sind sie eine ki|sind sie eine maschine|ist das ein bot|ist das ein chatbot|ist das eine ki|ist das ein roboter|ist das hier ein bot|rede ich mit einem bot|spreche ich mit einem bot|spreche ich mit einem menschen|rede ich mit einem menschen|spreche ich mit einem echten menschen|schreibe ich mit einem bot|schreibe ich mit einem menschen|chatte ich mit einem bot|chatte ich mit einem menschen|bot oder mensch|mensch oder bot|mensch oder maschine|wer bist du|wer sind sie|was bist du|wie heisst du|wie heissen sie|wie ist dein name|wie ist ihr name|hast du einen namen|lebst du',
  },
  names: 'mein name ist|mein name lautet|ich heisse',
  thanksFor: 'fur|dafur',
  questionWords:
    'was|wie|wann|wo|welche|welcher|welches|wer|wen|wem|warum|wieso|aber|kann|konnen|ist|gibt|nicht|ob|will|mochte|brauche',
  words: germanWords,
  fillers:
    'oder|nicht wahr|bitte|du|sie|ihr|bot|chatbot|zusammen|alle|allerseits|liebes team|team|leute|noch|schon|sehr|auch|mal|dann|erstmal|erst|nochmal|dir|ihnen|euch|fur die hilfe|fur deine hilfe|fur ihre hilfe|fur die info|fur die information|fur die informationen|fur die antwort|fur die auskunft|fur alles|fur nichts|ja|nein|ne|nee|so|und|na|ach|oh|herr|frau|einen|einem|schonen|hier|doch|aber|wohl|denn',
  intensifiers: 'wirklich|eigentlich|echt|denn|auch|nur|etwa|tatsachlich|gerade|hier',
  continuations:
    'wegen|uber|bezuglich|zu|zum|zur|weil|da|denn|der|die|das|bitte|jetzt|sofort|nicht|statt|anstatt|und|um|am|im|in|aus|von|heute|hier|direkt|personlich|danke|oder',
};
