/**
 * Polite words around a question, such as greetings and thanks, in several languages. Written without
 * accents, which visitors often omit.
 */
const POLITE_PHRASES = [
  // Polite phrases in English
  'hi|hi there|hello|hello there|hey|dear|good (?:morning|afternoon|evening|day)|thanks?(?: you)?|thx|please|pls|cheers|sorry|excuse me',
  '(?:i|we) (?:want|would like|need|wanted)(?: to know| to ask)?|i have a question(?: about| regarding)?|question|quick question|i was wondering|wondering|tell me|let me know|is it possible|any idea|in advance|a lot|kind regards|best regards|regards',
  // Polite phrases in German
  'hallo(?: zusammen)?|moin|servus|gru(?:ß|ss) gott|guten (?:tag|morgen|abend)|danke(?:sch[oö]n)?|vielen dank|dank|bitte|sorry|entschuldigung|im voraus',
  '(?:ich|wir) (?:m[oö]chten?|w[uü]rden?|wollten?)(?: gern(?:e)?)?|wissen|gern(?:e)?|(?:ich )?h[aä]tte (?:eine|ne) frage(?: zu[mr]?)?|(?:ich )?habe (?:eine|ne) frage(?: zu[mr]?)?|frage|k[oö]nn(?:en|t) (?:sie|ihr)|k[oö]nnten (?:sie|ihr)|sagen|mfg|(?:viele|liebe|freundliche|mit freundlichen) gr[uü](?:ß|ss)en?',
  // Polite phrases in French, Spanish, Portuguese, Italian and Dutch
  "bonjour|bonsoir|salut|merci(?: beaucoup| d[’']avance)?|s[’']il vous pla[iî]t|svp|je voudrais(?: savoir)?",
  'hola|buen[oa]s (?:d[ií]as|tardes|noches)|buenas|(?:muchas )?gracias|por favor|quisiera(?: saber)?|quiero saber',
  'ol[aá]|bo[am] (?:dia|tarde|noite)|(?:muito )?obrigad[oa]|gostaria de saber',
  'ciao|salve|buongiorno|buonasera|grazie(?: mille)?|per favore|vorrei sapere',
  'hoi|goede(?:morgen|middag|navond)|dank (?:je|u)(?: wel)?|bedankt|alstublieft|alsjeblieft|ik wil graag weten',
  '你好|您好|谢谢|안녕하세요|감사합니다',
].join('|');
const POLITENESS = new RegExp(`(?<![\\p{L}\\p{N}])(?:${POLITE_PHRASES})(?![\\p{L}\\p{N}])`, 'giu');
/**
 * Matches email addresses, URLs and phone numbers, which are not part of a question. The lengths are limited
 * because a hostile text would otherwise take quadratic time.
 */
const ADDRESSES = /[^\s@]{1,64}@\S{1,255}|\b(?:https?:\/\/|www\.)\S+|[+(]?\d[\d\s()./-]{6,30}\d/giu;

/** Words without a topic, such as “okay” or “yes”: a message with only such words is not a question. */
const WORDS_WITHOUT_TOPIC = new Set(
  `ok okay okey k yes yeah yep yup no nope not bye goodbye great good cool nice perfect awesome fine sure alright right well wow
  understood got lol haha hm hmm help test testing lot much welcome thing things something anything stuff works worked day morning night
  ja nein nee jo doch gut super toll prima klar alles wunderbar perfekt schon tschuss hilfe stimmt genau passt verstanden tag test
  oui non accord revoir parfait aide bien si vale adios perfecto ayuda bueno bien sim nao tchau perfeito ajuda certo va bene perfetto
  arrivederci aiuto nee doei prima goed hulp 再见 好的`.split(/\s+/),
);

/**
 * Returns the part of a message that may be a question. Removes greetings, thanks, email addresses, URLs and
 * phone numbers.
 */
export function extractSubject(message: string): string {
  return message
    .replace(ADDRESSES, ' ')
    .replace(POLITENESS, ' ')
    .replace(/^[\s\p{P}]+/u, '')
    .trim();
}

/**
 * Returns whether a message has a topic: at least one word that is more than a yes, a thank-you or a number.
 * @param topicWords words of the message that are not stop words
 */
export function hasTopic(topicWords: readonly string[]): boolean {
  return topicWords.some(
    (word) => /\p{L}{2}|\p{L}\p{N}|\p{Script=Han}/u.test(word) && !WORDS_WITHOUT_TOPIC.has(word),
  );
}
