import { dutchWords } from './words/nl.ts';
import type { LanguagePhrases } from './language-phrases.ts';

export const dutch: LanguagePhrases = {
  smallTalk: {
    denial: 'nee|neen|nope|niet echt|nu niet|nog niet|zeker niet|absoluut niet|natuurlijk niet',
    affirmation:
      'ja|jep|jazeker|ja hoor|ja graag|ja alsjeblieft|ja alstublieft|ja bedankt|ja natuurlijk|graag|zeker|zeker weten|natuurlijk wel|uiteraard|absoluut|doe maar|ga je gang|ga uw gang|dat zou fijn zijn|dat zou mooi zijn|dat zou geweldig zijn|dat zou handig zijn|dat zou top zijn|heel graag|dat is goed',
    greeting:
      'hallo|hoi|hey|hee|hi|goedemorgen|goedemiddag|goedenavond|goeiemorgen|goeiemiddag|goeienavond|goedendag|dag|hoihoi|he|yo|gegroet|aangenaam',
    pause:
      'een moment|een moment alstublieft|moment|momentje|moment graag|een ogenblik|ogenblik|een ogenblikje|een seconde|seconde|een minuut|een minuutje|wacht|wacht even|even wachten|wacht eens|wacht een moment|wacht een minuut|even geduld|ogenblikje|ben zo terug|ik ben zo terug|laat me even denken|laat me denken|ik denk erover na|even kijken|ik kijk even|misschien|misschien later|wellicht|geen idee|weet ik niet|ik weet het niet|weet niet|niet zeker|ik weet het niet zeker|ik ben niet zeker|we zullen zien|dat hangt ervan af|stop|genoeg|hou op',
    gives_details:
      'mijn email is|mijn e mail is|mijn mail is|mijn e mailadres is|mijn emailadres is|email|e mail|mail|mijn nummer is|mijn telefoonnummer is|mijn mobiel is|telefoon|tel|mobiel|mijn bestelnummer is|mijn klantnummer is|u kunt mij bereiken op|je kunt me bereiken op|ik ben bereikbaar op|bereikbaar op|hier is mijn nummer|hier is mijn email',
    how_are_you:
      'hoe gaat het|hoe gaat het met je|hoe gaat het met jou|hoe gaat het met u|hoe gaat ie|alles goed|hoe is het|hoe is het met je|gaat het goed|hoe maakt u het|hoe voel je je',
    thanks:
      'bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel|dankuwel|hartelijk dank|hartelijk bedankt|heel erg bedankt|dankje|thanks|thx|merci|dat helpt|dat hielp|heel nuttig|nuttig|handig|je bent geweldig|goed gedaan|goed zo|ik hou van je|top bedankt|erg behulpzaam',
    goodbye:
      'nee bedankt|ik weet genoeg|ik weet nu genoeg|dan weet ik genoeg|fijne middag|fijne dag verder|nog een fijne dag|een fijne dag|een prettige dag|fijne week|tot de volgende keer|tot gauw|tot kijk|groetjes|ciao|ook zo|insgelijks|van hetzelfde|nee dank je|nee dank u|doei|doeg|tot ziens|tot later|tot snel|tot straks|tot morgen|dag|fijne dag|fijne dag nog|fijne avond|goedenacht|welterusten|prettige dag|prettig weekend|fijn weekend|bye|houdoe|dat was alles|dat is alles|verder niets|ik moet gaan|geen vragen meer',
    acknowledgement:
      'ok|okay|oke|oké|prima|goed|top|perfect|mooi|leuk|cool|super|begrepen|ik begrijp het|ik snap het|snap ik|duidelijk|helder|is goed|komt goed|in orde|wow|lol|haha|hmm|hm|aha|oh|ah|klopt|juist|test|dit is een test|ik test alleen|gewoon een test|niets|laat maar|geen probleem|interessant|goed om te weten|geweldig|uitstekend|zeker|natuurlijk',
    complaint:
      'wat|huh|pardon|ik begrijp het niet|ik snap het niet|ik begrijp je niet|dat slaat nergens op|wat bedoel je|wat bedoelt u|beantwoord mijn vraag|je bent dom|jij bent dom|je bent stom|je bent nutteloos|dom|stom|domme bot|stomme bot|idioot|sukkel|klootzak|nutteloos|waardeloos|hou je mond|hou je bek|rot op|kut|shit|fuck you|val dood|dat klopt niet|klopt niet|dat is fout|fout|verkeerd|dat is verkeerd|verkeerd antwoord|dat helpt niet|dat helpt mij niet|dat helpt me niet|niet nuttig|je begrijpt me niet|je begrijpt het niet|je snapt me niet|je snapt het niet|u begrijpt me niet|dat was niet mijn vraag|dat is niet mijn vraag|dat vroeg ik niet|je geeft geen antwoord|ik haat je|vreselijk|slecht|belachelijk|verdomme|wat een onzin|onzin',
    asks_abilities:
      'meer|ga door|ga verder|verder|vertel me meer|meer info|meer informatie|vertel een mop|vertel een grap|vertel me een mop|ik verveel me|hou je van me|trouw met me|hoe oud ben je|waar ben je|zeg iets|wat kun je|wat kan je|wat kun jij|wat kunt u|wat kun je doen|wat kan je doen|wat kun je voor me doen|wat kunt u voor mij doen|wat doe je|waarmee kun je helpen|waarmee kun je me helpen|waar kun je me mee helpen|hoe kun je me helpen|hoe kunt u mij helpen|hulp|help|help me|help mij|kun je me helpen|kun je mij helpen|kunt u mij helpen|kan je me helpen|kunnen jullie me helpen|ik heb hulp nodig|hulp nodig|ik heb een vraag|ik heb een vraagje|ik heb vragen|ik heb een probleem|mag ik iets vragen|mag ik wat vragen|mag ik je iets vragen|kan ik iets vragen|wat kan ik vragen|wat kan ik je vragen|een vraag|vraag|vraagje|wat is dit|hoe werkt dit|hoe werkt het|hoe werk je|waar ben je voor|menu|start',
    asks_maker:
      'welk ai model|welk taalmodel|welke ai|wie heeft je gemaakt|wie heeft jou gemaakt|wie heeft je gebouwd|wie heeft je ontwikkeld|wie heeft je geprogrammeerd|wie heeft jou ontwikkeld|wie heeft u gemaakt|wie is je maker|wie is jouw maker|wie zijn je makers|voor wie werk je|waar kom je vandaan|wie zit er achter je|welk model ben je|ben je chatgpt|ben jij chatgpt|ben je gpt|ben je claude|ben je siri|welke ai ben je',
    asks_if_bot:
      'ben je daar|ben je er|ben je er nog|is daar iemand|is er iemand|iemand daar|is er iemand daar|is hier iemand|is er iemand hier|ben je een bot|ben jij een bot|ben je een robot|ben jij een robot|ben je een chatbot|ben je een ai|ben je ai|ben je een mens|ben jij een mens|ben je een echt mens|ben je een echte persoon|ben je een persoon|ben je echt|ben je een machine|bent u een bot|bent u een robot|bent u een mens|bent u een echt persoon|is dit een bot|is dit een robot|is dit een chatbot|praat ik met een bot|praat ik met een robot|praat ik met een mens|praat ik met een echt persoon|spreek ik met een bot|spreek ik met een mens|chat ik met een bot|chat ik met een mens|bot of mens|mens of bot|wie ben je|wie ben jij|wie bent u|wat ben je|hoe heet je|hoe heet jij|hoe heet u|wat is je naam|wat is jouw naam|wat is uw naam|je naam',
  },
  names: 'mijn naam is|ik heet',
  thanksFor: 'voor',
  questionWords: 'wat|hoe|wanneer|waar|welke|welk|wie|waarom|hoeveel|maar|kan|kunnen|is|niet|wil|moet',
  words: dutchWords,
  fillers:
    'alsjeblieft|alstublieft|aub|graag|allemaal|daar|meneer|mevrouw|jij|je|jou|u|bot|robot|team|heel|erg|zeer|veel|nog|dan|nou|wel|en|ja|nee|maar|voor je hulp|voor uw hulp|voor de hulp|voor de info|voor de informatie|voor je antwoord|voor uw antwoord|voor alles|voor niets|weer|hier|zo|eens|hoor|dus',
  intensifiers: 'echt|eigenlijk|nou|wel|gewoon|nu|toch|soms',
  continuations:
    'over|omdat|want|die|dat|niet|in|nu|alsjeblieft|alstublieft|aub|vandaag|direct|bedankt|hier|voor|met|en|via|of|van',
};
