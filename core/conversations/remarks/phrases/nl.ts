import type { LanguagePhrases } from './language-phrases.ts';

const TALK =
  '(?:spreken|praten|chatten|bellen|communiceren|overleggen|verbonden worden|doorverbonden worden|contact opnemen|contact hebben)';
const HUMAN_WORDS =
  '(?:mens|persoon|medewerker|medewerkster|agent|collega|adviseur|operator|telefonist|vertegenwoordiger|werknemer)';
const ARTICLE = '(?:(?:een|de|het|uw|jullie|je|iemand van|een van) )*';
const ADJECTIVES = '(?:(?:echt|echte|levend|levende|menselijk|menselijke|ander|andere) )*';
const SOFT =
  '(?:(?:graag|liever|even|nu|direct|alstublieft|alsjeblieft|aub|ook|misschien|gewoon|eens|hier|toch|zelf) )*';

export const dutch: LanguagePhrases = {
  smallTalk: {
    greeting:
      'hallo|hoi|hey|hee|hi|goedemorgen|goedemiddag|goedenavond|goeiemorgen|goeiemiddag|goeienavond|goedendag|dag|hoihoi|he|yo|gegroet|aangenaam',
    how_are_you:
      'hoe gaat het|hoe gaat het met je|hoe gaat het met jou|hoe gaat het met u|hoe gaat ie|alles goed|hoe is het|hoe is het met je|gaat het goed|hoe maakt u het|hoe voel je je',
    thanks:
      'bedankt|dank je|dank je wel|dankjewel|dank u|dank u wel|dankuwel|hartelijk dank|hartelijk bedankt|heel erg bedankt|dankje|thanks|thx|merci|dat helpt|dat hielp|heel nuttig|nuttig|handig|je bent geweldig|goed gedaan|goed zo|ik hou van je|top bedankt|erg behulpzaam',
    goodbye:
      'nee bedankt|nee dank je|nee dank u|doei|doeg|tot ziens|tot later|tot snel|tot straks|tot morgen|dag|fijne dag|fijne dag nog|fijne avond|goedenacht|welterusten|prettige dag|prettig weekend|fijn weekend|bye|houdoe|dat was alles|dat is alles|verder niets|ik moet gaan|geen vragen meer',
    acknowledgement:
      'ok|okay|oke|oké|prima|goed|top|perfect|mooi|leuk|cool|super|begrepen|ik begrijp het|ik snap het|snap ik|duidelijk|helder|is goed|komt goed|in orde|wow|lol|haha|hmm|hm|aha|oh|ah|klopt|juist|test|dit is een test|ik test alleen|gewoon een test|niets|laat maar|geen probleem|interessant|goed om te weten|geweldig|uitstekend|zeker|natuurlijk',
    complaint:
      'wat|huh|pardon|ik begrijp het niet|ik snap het niet|ik begrijp je niet|dat slaat nergens op|wat bedoel je|wat bedoelt u|beantwoord mijn vraag|je bent dom|jij bent dom|je bent stom|je bent nutteloos|dom|stom|domme bot|stomme bot|idioot|sukkel|klootzak|nutteloos|waardeloos|hou je mond|hou je bek|rot op|kut|shit|fuck you|val dood|dat klopt niet|klopt niet|dat is fout|fout|verkeerd|dat is verkeerd|verkeerd antwoord|dat helpt niet|dat helpt mij niet|dat helpt me niet|niet nuttig|je begrijpt me niet|je begrijpt het niet|je snapt me niet|je snapt het niet|u begrijpt me niet|dat was niet mijn vraag|dat is niet mijn vraag|dat vroeg ik niet|je geeft geen antwoord|ik haat je|vreselijk|slecht|belachelijk|verdomme|wat een onzin|onzin',
    asks_abilities:
      'vertel een mop|vertel een grap|vertel me een mop|ik verveel me|hou je van me|trouw met me|hoe oud ben je|waar ben je|zeg iets|wat kun je|wat kan je|wat kun jij|wat kunt u|wat kun je doen|wat kan je doen|wat kun je voor me doen|wat kunt u voor mij doen|wat doe je|waarmee kun je helpen|waarmee kun je me helpen|waar kun je me mee helpen|hoe kun je me helpen|hoe kunt u mij helpen|hulp|help|help me|help mij|kun je me helpen|kun je mij helpen|kunt u mij helpen|kan je me helpen|kunnen jullie me helpen|ik heb hulp nodig|hulp nodig|ik heb een vraag|ik heb een vraagje|ik heb vragen|ik heb een probleem|mag ik iets vragen|mag ik wat vragen|mag ik je iets vragen|kan ik iets vragen|wat kan ik vragen|wat kan ik je vragen|een vraag|vraag|vraagje|wat is dit|hoe werkt dit|hoe werkt het|hoe werk je|waar ben je voor|menu|start',
    asks_maker:
      'wie heeft je gemaakt|wie heeft jou gemaakt|wie heeft je gebouwd|wie heeft je ontwikkeld|wie heeft je geprogrammeerd|wie heeft jou ontwikkeld|wie heeft u gemaakt|wie is je maker|wie is jouw maker|wie zijn je makers|voor wie werk je|waar kom je vandaan|wie zit er achter je|welk model ben je|ben je chatgpt|ben jij chatgpt|ben je gpt|ben je claude|ben je siri|welke ai ben je',
    asks_if_bot:
      'ben je daar|ben je er|ben je er nog|is daar iemand|is er iemand|iemand daar|is er iemand daar|is hier iemand|is er iemand hier|ben je een bot|ben jij een bot|ben je een robot|ben jij een robot|ben je een chatbot|ben je een ai|ben je ai|ben je een mens|ben jij een mens|ben je een echt mens|ben je een echte persoon|ben je een persoon|ben je echt|ben je een machine|bent u een bot|bent u een robot|bent u een mens|bent u een echt persoon|is dit een bot|is dit een robot|is dit een chatbot|praat ik met een bot|praat ik met een robot|praat ik met een mens|praat ik met een echt persoon|spreek ik met een bot|spreek ik met een mens|chat ik met een bot|chat ik met een mens|bot of mens|mens of bot|wie ben je|wie ben jij|wie bent u|wat ben je|hoe heet je|hoe heet jij|hoe heet u|wat is je naam|wat is jouw naam|wat is uw naam|je naam',
  },
  fillers:
    'alsjeblieft|alstublieft|aub|graag|allemaal|daar|meneer|mevrouw|jij|je|jou|u|bot|robot|team|heel|erg|zeer|veel|nog|dan|nou|wel|en|ja|nee|maar|voor je hulp|voor uw hulp|voor de hulp|voor de info|voor de informatie|voor je antwoord|voor uw antwoord|voor alles|voor niets|weer|hier|zo|eens|hoor|dus',
  intensifiers: 'echt|eigenlijk|nou|wel|gewoon|nu|toch|soms',
  person: {
    any: `${ARTICLE}${ADJECTIVES}(?:${HUMAN_WORDS}|iemand|klantenservice|klantendienst|support|supportteam|team|helpdesk|mensen)(?: (?:van|uit) (?:het|jullie|uw) (?:team|klantenservice|support)| van vlees en bloed)?`,
    human: `${ARTICLE}${ADJECTIVES}(?:${HUMAN_WORDS}|klantenservice|klantendienst|live chat)(?: van vlees en bloed)?`,
    requests: [
      `(?:ik|wij|we) (?:wil|wilde|willen|zou|wens|moet|wou) ${SOFT}(?:met )?{person} ${SOFT}(?:willen )?${TALK}`,
      `(?:ik|wij|we) (?:wil|zou|wou) ${SOFT}(?:willen )?${TALK} met {person}`,
      `(?:kan|mag|kunnen|mogen|zou) (?:ik|wij|we) ${SOFT}(?:met )?{person} ${SOFT}${TALK}`,
      `(?:kan|mag|kunnen) (?:ik|wij|we) ${SOFT}${TALK} met {person}`,
      `hoe (?:kan|bereik|spreek) ik ${SOFT}(?:met )?{person}(?: (?:${TALK}|bereiken))?`,
      `is het mogelijk om (?:met )?{person} te ${TALK}`,
      `(?:verbind|zet|schakel|breng) (?:me|mij) ${SOFT}(?:door |in contact )?(?:met |naar )?{person}(?: door)?`,
      `(?:kunt u|kun je|kan je|kunnen jullie|wilt u|wil je) (?:me|mij) ${SOFT}(?:met |naar )?{person} (?:doorverbinden|verbinden)`,
      `(?:kunt u|kun je|kan je|kunnen jullie|wilt u|wil je) (?:me|mij) ${SOFT}(?:doorverbinden|verbinden)(?: (?:met|naar) {person})?`,
      `${TALK} met {person}`,
      `met {person} ${SOFT}${TALK}`,
      `(?:kan|kunt|zou) {person} (?:me|mij|ons) ${SOFT}(?:helpen|antwoorden|terugbellen|bellen|te woord staan)`,
      `ik wil niet met (?:een|deze|de) (?:robot|bot|machine|computer|chatbot|ai) ${TALK}`,
    ],
    shortRequests: [
      `(?:bel|belt u) (?:me|mij)(?: ${SOFT})?(?: terug)?`,
      `(?:mag|kan) ik ${SOFT}iemand aan de lijn(?: krijgen)?`,
      `{human} ${SOFT}spreken`,
      `(?:ik|wij|we) (?:wil|zoek|eis|wens|willen) ${SOFT}{human}`,
      `(?:ik|wij|we) (?:heb|hebben) {human} nodig`,
      `(?:geef|geeft u|haal) (?:me|mij) {human}`,
      `{human}`,
      `is (?:er|daar|hier) (?:hier |daar )?(?:iemand|een medewerker|een mens)(?: (?:daar|hier|aanwezig|beschikbaar|online|die me kan helpen|die mij kan helpen))*`,
    ],
    continuations:
      'over|omdat|want|die|dat|niet|in|nu|alsjeblieft|alstublieft|aub|vandaag|direct|bedankt|hier|voor|met|en|via|of|van',
  },
};
