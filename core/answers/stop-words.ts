/**
 * Words without information about the topic of a question, in the languages that Parley searches; without
 * accents.
 */
const lists = [
  // Stop words of English
  `a about after all also am an and any are as at be been before between but by can could did do does for from get give had has have he her
  here his how i if in into is it its just know like long many may me mean means much must my need no not of on one or
  our please s she should so some t tell than that the their them then there these they this to too up us use used want
  was we were what when where which while who whom whose why will with would you your let`,
  // Stop words of German
  `aber alle als am an auch auf aus bei beim bin bis bitte da damit dann darf das dass dem den denn der des die dies diese
  dieser dieses du durch ein eine einem einen einer eines er es etwas fur gibt habe haben hat hatte ich ihr ihre im in
  ist ja kann kein keine konnen lange man mein meine mich mir mit muss nach nicht noch nur oder ohne schon sein sich
  sie sind so uber um und uns unter viel viele vom von vor wann war warum was welche welcher welches wenn wer werden
  wie wieviel will wir wird wo zu zum zur`,
  // Stop words of French
  `a ai au aux avec c ce ces cette combien comment d dans de des du elle en est et etre eu faire faut il ils j je l la
  le les leur lui m ma mais me mes mon n ne nos notre nous on ou par pas peut peux plus pour pourquoi puis qu quand que
  quel quelle quelles quels qui quoi sa sans se ses si son sont sur ta te tes ton tu un une vos votre vous y`,
  // Stop words of Spanish and Portuguese
  `al ao aos as com como con cual cuales cuando cuanta cuanto da das de del do donde dos e el ella em en entre era es
  esta este estos eu foi ha hay isso la las lo los mas me meu mi mis muy na nao no nos num o onde os ou para pela pelo
  pero por porque posso puedo qual quando quanto que quem quien se ser seu si sin sobre sou su sua sus te tem tengo
  tenho tu um uma un una voce y ya yo`,
  // Stop words of Italian
  `agli ai alla alle anche che chi ci come con cosa da dal dalla dei del della delle di dove e gli ha ho i il in io la
  le lo ma mi nel nella non o per perche piu posso puo quale quando quanto questa questo se si sono sul sulla ti un una
  uno`,
  // Stop words of Dutch
  `aan als bij dan dat de deze die dit door een en er had heb hebben heeft het hoe hoeveel ik in is je kan kunnen maar me
  met mijn moet naar niet nog of om ook op over te tot uit van voor waar waarom wanneer was wat we welke wie wij wil
  word wordt ze zich zijn`,
  // Stop words of Chinese and Korean. Japanese is missing: its function words are recognized by their script.
  `什么 怎么 怎样 如何 为什么 什么时候 可以 哪里 哪些 哪个 多少 多少钱 几点 几个 几位 多久 是否 吗 呢 的 了 是 在 有 能 会 要 请 请问 我 我们 你 你们 吧 和 与
  어떻게 무엇 무엇을 무엇인가요 언제 어디 어디서 왜 있나요 있습니까 하나요 합니까 되나요 됩니까 입니까 인가요 수 제 저는 나는`,
];

/**
 * Verbs and adjectives of questions about a price, without accents. They say what the visitor asks, but pages
 * with a price rarely contain them.
 */
const priceWords: ReadonlySet<string> = new Set(
  `cost costs kostet kosten teuer hoch coute coutent cuesta cuestan costa costano custa custam kost`.split(
    ' ',
  ),
);

/** Returns true for a word that asks for a price, such as "cost". */
export const asksForPrice = (word: string) => priceWords.has(word);

const languages = lists.map((list) => new Set(list.split(/\s+/)));

/** Returns true for a stop word of any language. */
export const isStopWord = (word: string) => languages.some((list) => list.has(word));

/** ISO 639-1 codes of the languages of the stop-word lists; null for a list that covers several languages. */
const codes = ['en', 'de', 'fr', null, 'it', 'nl', null];

const GERMAN = 1;
const DUTCH = 5;
/** Minimum number of stop words in a text that are needed to recognize its language. */
const MIN_STOP_WORDS = 2;

/**
 * Detects the language of a text by its stop words. Returns the index of the language's list; null if too few
 * stop words occur or two languages tie.
 * @param words words of the text in lower case
 */
export function detectLanguage(words: string[]): number | null {
  const [language = 0, ...others] = listLikeliestLanguages(words);
  const list = languages[language]!;
  const isCertain = others.length === 0 && words.filter((word) => list.has(word)).length >= MIN_STOP_WORDS;
  return isCertain ? language : null;
}

/**
 * Detects the language of a text; null if unknown. Returns its ISO 639-1 code.
 * @param words words of the text in lower case
 */
export function detectLanguageCode(words: string[]): string | null {
  const language = detectLanguage(words);
  return language === null ? null : codes[language]!;
}

/**
 * Returns the stop words of the language to which most stop words in a text belong. Returns those of all languages
 * that tie.
 */
export function stopWordsFor(words: string[]): ReadonlySet<string> {
  return new Set(listLikeliestLanguages(words).flatMap((index) => [...languages[index]!]));
}

/** Returns whether the words may be German, in which all nouns are capitalized. */
export function capitalizesNouns(words: string[]): boolean {
  return listLikeliestLanguages(words).includes(GERMAN);
}

/**
 * Returns whether the words may be from a language with compound words, such as German. True if the language
 * is unknown.
 */
export function mayFormCompounds(words: string[]): boolean {
  const language = detectLanguage(words);
  return language === null || language === GERMAN || language === DUTCH;
}

function listLikeliestLanguages(words: string[]): number[] {
  const hits = languages.map((language) => words.filter((word) => language.has(word)).length);
  const maxHits = Math.max(...hits);
  return hits.flatMap((count, index) => (count === maxHits ? [index] : []));
}
