import type { ChatWords } from './chat-words.ts';

const HUMAN =
  'mens|mensen|echt mens|echte mens|persoon|echte persoon|echt persoon|medewerker|medewerkers|medewerkster|agent|collega|collega s|adviseur|operator|telefonist|telefoniste|vertegenwoordiger|werknemer|leidinggevende|manager|baas|chef|supervisor|verantwoordelijke|klantenservice|klantendienst|teamlid|iemand van vlees en bloed|levend persoon|consulent';

export const dutchWords: ChatWords = {
  me: 'me|mij|ons',
  you: 'je|jij|jullie|u|je bent|jij bent|u bent|dit is|dat is|dat was|dat heeft|dit|dat|het|deze bot|deze chat|uw antwoord|je antwoord|uw service|deze robot|dit ding',
  being:
    'ben je|ben jij|bent u|is dit|is dat|ben ik|zijn jullie|is het|je bent|jij bent|u bent|dit is|dat is',
  how: 'hoe kan ik|hoe kunnen we|waar kan ik|hoe bereik ik|hoe spreek ik|hoe krijg ik',
  exists:
    'is er|is hier|is daar|hebben jullie|heeft u|zijn er|bestaat er|hebt u|heb je|is er geen|is er niemand',
  not: 'niet|geen|nooit|niets|niks|nee|niemand',
  want: 'wil|wilde|willen|zou|zouden|wens|moet|wou|graag|liever|zoek|eis|verzoek|vraag om|vraag|wil graag|zou graag|heb nodig|nodig|geef|geeft u|haal|mag|mag ik|kan ik|kunnen we|mogen we|laat|stuur|krijg|krijgen|sta erop|prefereer',
  contact:
    'spreken|spreek|praten|praat|chatten|bellen|gebeld|gebeld worden|terugbellen|teruggebeld|teruggebeld worden|opbellen|telefoneren|communiceren|overleggen|bespreken|verbinden|verbonden|doorverbinden|doorverbonden|verbonden worden|doorverbonden worden|doorzetten|doorschakelen|doorsturen|verbind|schakel|zet|breng|contact|contact opnemen|contact hebben|contact krijgen|contacteren|in contact|bereiken|aan de lijn|aan de telefoon|telefonisch|gesprek|een gesprek|helpen|geholpen|antwoorden|te woord staan|te woord|mailen|schrijven|overdragen|escaleren|klagen|te maken hebben|afhandelen|kijken|door|opnemen',
  call: 'bellen|gebeld|gebeld worden|belt|bel|belt u|terugbellen|teruggebeld|teruggebeld worden|terugbelt|opbellen|contact opnemen|contact opneemt|contacteren|contacteert|mailen|verbinden|doorverbinden|doorverbonden worden|verbind|schakel|zet|te woord staan|contact op|neem contact op met|neemt contact op met|contact met',
  person: `${HUMAN}|iemand|iemand anders|support|supportteam|team|helpdesk|personeel|service|afdeling|deskundige|specialist|monteur|verkoop|directie|lui|mensen`,
  human: HUMAN,
  handoff:
    'live chat|livechat|terugbelverzoek|terugbelafspraak|doorverbinden|escaleren|klantenservice|klantendienst|menselijke hulp|teruggebeld worden|gebeld worden|terugbellen graag',
  talking:
    'praat ik|spreek ik|chat ik|ik praat|ik spreek|ik chat|aan het praten|aan het chatten|aan het spreken|schrijf ik|heb ik te maken|communiceer ik|zit ik te praten|ben ik aan het chatten|ben ik aan het praten',
  bot: 'bot|bots|robot|robots|chatbot|machine|machines|computer|ai|a i|kunstmatige intelligentie|programma|computerprogramma|software|automatisch|automatische|automatisch systeem|geautomatiseerd|geautomatiseerd systeem|automatisch antwoord|algoritme|virtuele assistent|taalmodel|chatgpt',
  insult:
    'dom|domme|dommer|stom|stomme|stommerd|idioot|idiote|idioten|debiel|debiele|achterlijk|achterlijke|gek|sukkel|oen|eikel|lul|klootzak|trut|mongool|imbeciel|nutteloos|nutteloze|waardeloos|waardeloze|zinloos|hopeloos|hopeloze|incompetent|incompetente|onbekwaam|belachelijk|belachelijke|bespottelijk|zielig|triest|slecht|slechte|slechtste|de slechtste|het slechtste|vreselijk|vreselijke|verschrikkelijk|verschrikkelijke|afschuwelijk|ellendig|rot|rotding|rotbot|klote|kut|kutbot|shit|shitty|bagger|troep|rommel|rotzooi|onzin|flauwekul|gelul|schande|schandalig|schandelijk|tijdverspilling|verspilling van mijn tijd|oplichting|leugenaar|fout|foute|verkeerd|verkeerde|onjuist|hou je mond|hou je bek|hou op|rot op|flikker op|val dood|krijg de tering|tering|kanker|tyfus|godver|godverdomme|verdomme|haat|irritant|irritante|vervelend|zat|ben het zat|beu|boos|woedend|kwaad|gefrustreerd|al gezegd|al gevraagd|al verteld|steeds hetzelfde|in kringetjes|hetzelfde antwoord|slaat nergens op|pet|een grap|grap|bedroevend',
  merit:
    'helpt|hielp|geholpen|helpen|hulp|behulpzaam|nuttig|handig|begrijp|begrijpt|begrijpen|begrepen|snap|snapt|snappen|antwoord|antwoorden|beantwoord|beantwoordt|goed|juist|correct|waar|klopt|mijn vraag|op mijn vraag|wat ik vroeg|wat ik bedoelde|wat ik bedoel|wat ik wil|gevraagd|bedoelde|luistert|luister|slim|zin',
  complain:
    'klacht|een klacht|klachten|klagen|teleurgesteld|teleurstellend|ontevreden|niet tevreden|niet blij|ongelukkig|slechte service|slechte ervaring|klacht indienen|mijn beklag|beklag',
  praise:
    'behulpzaam|nuttig|handig|perfect|precies|super|top|geweldig|fantastisch|uitstekend|prima|mooi|fijn|heel fijn|prettig|aardig|vriendelijk|lief|snel|snelle|duidelijk|helder|helpt|hielp|geholpen|goed geholpen|opgelost|gelukt|werkt|wat ik nodig had|wat ik zocht|wat ik wilde weten|wat ik wilde|alles wat ik nodig had|de beste|goed gedaan|goed werk|bedankt|dank|dank je|dank je wel|dank u|dank u wel|dankbaar|hartelijk dank',
  speak:
    'spreekt|spreek|spreken|praten|praat|schrijven|schrijf|typen|begrijp|begrijpt|begrijpen|versta|verstaat|verstaan|antwoord|antwoorden|kun je|kunt u|kan je|kunnen jullie|mag ik|kan ik|kan|vragen|stellen|ken|kent|chatten',
  language:
    'nederlands|engels|duits|spaans|frans|italiaans|portugees|russisch|pools|turks|chinees|japans|koreaans|arabisch|oekraiens|zweeds|deens|noors|fins|tsjechisch|grieks|hongaars|roemeens|hebreeuws|vlaams|fries|mijn taal|mijn eigen taal|andere talen|een andere taal|welke talen|welke taal|talen|moedertaal|hoeveel talen',
  other:
    'ter wereld|beschikbaar|zeg maar|ik|wij|we|alsjeblieft|alstublieft|aub|svp|even|nu|direct|meteen|ook|misschien|gewoon|eens|hier|daar|toch|zelf|maar|wel|nog|al|alleen|echt|echte|levend|levende|menselijk|menselijke|ander|andere|eigenlijk|eindelijk|snel|zo snel mogelijk|spoedig|vandaag|morgen|straks|later|een|de|met|naar|van|uit|voor|aan|op|in|over|via|bij|te|om|en|of|want|dus|als|die|dat|wie|uw|jouw|mijn|onze|hun|er|kan|kun|kunt|kunnen|kunt u|kun je|kan je|kunnen jullie|wilt u|wil je|willen jullie|zou u|zou je|zouden jullie|mogelijk|is het mogelijk|mogelijkheid|manier|worden|word|wordt|is|zijn|ben|bent|was|waren|heb|hebt|heeft|hebben|had|gehad|zal|zullen|moeten|gaan|ga|gaat|doen|doe|doet|maken|maak|indienen|zeer|heel|erg|veel|meer|te veel|helemaal|totaal|compleet|volledig|absoluut|zo|zo n|wat|wat een|hallo|hoi|goedendag|meneer|mevrouw|zaak|mijn zaak|mijn probleem|mijn geval|mijn vraag|mijn situatie|probleem|vraag|kwestie|dit probleem|hierover|daarover|service|uw service|jullie service|assistent|systeem|chat|site|website|nummer|mijn nummer|telefoon|dringend|belangrijk|keer|weer|opnieuw|dan|nou|zeg|ja|ok|oke|ding|ooit|gezien|gebruikt|ooit gebruikt|ooit gezien|iets|alles|niks meer|persoonlijk|jullie|je|jij|u|het|dit|vanmiddag|vanavond|maandag|allemaal|bedankt',
};
