import { appendPreviousTerms, refersBack } from './follow-up.ts';
import { normalize, listWords, truncateQuestion } from './terms.ts';
import { stopWordsFor } from './stop-words.ts';

/**
 * Maximum number of questions into which a visitor's message is split; a message with more questions stays
 * whole.
 */
const MAX_PARTS = 3;
/**
 * Length in characters above which a visitor's message is not split, because it describes one problem in
 * several sentences.
 */
const MAX_CHARS = 600;

/** Question words of each language, and the words that join two questions in this language. */
const languages: readonly { joins: string; asks: string }[] = [
  {
    joins: 'and(?: also)?|or|also|as well as|plus|&',
    asks: `what(?:['’]s)?|when|where|who|whom|whose|why|which|how|can (?:i|we|you|one|my)|could (?:i|we|you)|may (?:i|we|my)|do (?:i|we|you|they)|does|did|is (?:it|there|this|that|the|your|my)|are (?:you|there|the|your|they)|will (?:i|you|the|there)|should (?:i|we)|have you|must (?:i|we)`,
  },
  {
    joins: 'und(?: auch)?|oder|sowie',
    asks: 'was|wann|wo|wer|wem|wen|wie|wieviel|warum|wieso|weshalb|wohin|woher|welche[rsmn]?|(?:um|ab|bis) wie ?viel|(?:kann|können|darf|dürfen|muss|müssen|soll|sollte) (?:ich|man|wir|sie|meine?)|gibt es|(?:ist|sind) (?:das|der|die|es|ein|eine|ihre?)|haben sie|habt ihr|bieten sie|bietet ihr',
  },
  {
    joins: 'et(?: aussi)?|ou|ainsi que',
    asks: `quels?|quelles?|quand|où|comment|combien|pourquoi|qui|qu['’]est-ce|est-ce|(?:à|de|dans|pour|sur) quel(?:le)?s?|puis-je|peut-on|pouvez-vous|pouvons-nous|dois-je|faut-il|y a-t-il|avez-vous|proposez-vous|acceptez-vous|est-il|est-elle`,
  },
  {
    joins: 'y(?: también)?|e|o|además',
    asks: '¿.|qué|cuándo|dónde|cómo|cu[aá]nt[oa]s?|cuál(?:es)?|quién(?:es)?|por qué|(?:a|de|en|para|con) qué|hay|se puede|puedo|podemos|tienen|tenéis|ofrecen|aceptan|está abierto',
  },
  {
    joins: 'e(?: anche)?|ed|o|oppure',
    asks: `che|cosa|quando|dove|come|quant[oaie]|qual[ei]?|chi|perch[eé]|a che|in che|posso|possiamo|si può|c['’]è|ci sono|avete|accettate|offrite|devo|dov['’]è`,
  },
  {
    joins: 'e(?: também)?|ou',
    asks: 'o que|que|quando|onde|como|quant[oa]s?|qual|quais|quem|por ?que|a que|em que|posso|podemos|pode-se|há|tem|têm|existe|vocês|aceitam|preciso',
  },
  {
    joins: 'en(?: ook)?|of|alsmede',
    asks: 'wat|wanneer|waar|wie|waarom|hoe|hoeveel|welke?|kan (?:ik|je|men)|kunnen (?:we|wij)|mag ik|moet ik|is er|zijn er|is (?:het|de)|hebben jullie|hebt u|heeft u',
  },
];

const START = /^[\s¿¡"'“„«(]*/u.source;
const joined = languages.map(
  ({ joins, asks }) =>
    new RegExp(
      `(?<=[\\p{L}\\p{N}"'”)])(?:\\s*[,;]\\s*|\\s+)(?:${joins})[,\\s]\\s*(?=[¿"'“„«(]*(?:${asks})(?![\\p{L}]))`,
      'giu',
    ),
);
/** Matches a joining word such as "and" at the start of a later question. */
const LEADING_JOIN = new RegExp(`^(?:${languages.map(({ joins }) => joins).join('|')})(?:\\s*,)?\\s+`, 'iu');
const asking = languages.map(
  ({ asks }) => new RegExp(`(?:${START}|[,;:]\\s*|\\s)(?:${asks})(?![\\p{L}])`, 'iu'),
);

/** Matches a word that makes a Chinese clause a question. */
const CHINESE_ASKING =
  /什么|什麼|多少|几|幾|怎么|怎麼|怎样|怎樣|如何|哪|吗|嗎|呢|是否|能不能|可不可以|可以不可以|有没有|有沒有|何时|何時|多久|为什么|為什麼|谁|誰/u;
const CHINESE_JOIN =
  /[，,；;]\s*(?:还有|還有|以及|并且|並且|而且|另外|和)?|还有|還有|以及|并且|並且|而且|另外|和/gu;
const HAN = /\p{Script=Han}/u;
/** Matches a sentence up to its end or a line break. A full stop ends a sentence only before a blank. */
const SENTENCE = /[^?？\n。!！.]*(?:[?？。!！]+["'”’»)\]]*|\.(?=\s|$)|\n|\.|$)/gu;

/**
 * Splits a message that asks several questions, such as "When are you open and how much is parking?". Returns
 * the whole message as its only part if it asks one question, or if a part alone would have no subject.
 * Statements stay with the question that follows them.
 */
export function splitQuestion(message: string): string[] {
  const whole = truncateQuestion(message).trim();
  if (whole.length > MAX_CHARS) return [message];
  const parts = splitSentences(whole).flatMap(splitSentence).map(trimPart).filter(Boolean);
  const isSplit = parts.length > 1 && parts.length <= MAX_PARTS && parts.every(hasSubject);
  return isSplit ? parts.map(addSubject) : [message];
}

/** Adds words of the previous question to a question that refers to it, such as "is it free?". */
function addSubject(part: string, index: number, parts: readonly string[]): string {
  const previous = parts[index - 1];
  if (previous === undefined || !refersBack(part)) return part;
  return appendPreviousTerms([previous, part].map((content) => ({ role: 'user', content })));
}

/** Returns the message's questions, each together with the statements before it. */
function splitSentences(message: string): string[] {
  const questions: string[] = [];
  let pending = '';
  for (const [sentence] of message.matchAll(SENTENCE)) {
    pending += sentence;
    if (!isQuestion(sentence)) continue;
    questions.push(pending);
    pending = '';
  }
  if (questions.length === 0) return [message];
  // Append the text after the last question to that question.
  return pending.trim() === '' ? questions : [...questions.slice(0, -1), questions.at(-1)! + pending];
}

const isQuestion = (sentence: string) => /[?？]["'”’»)\]]*\s*$/u.test(sentence) || isAsking(sentence);

function isAsking(text: string): boolean {
  if (HAN.test(text)) return CHINESE_ASKING.test(text);
  return asking.some((pattern) => pattern.exec(text)?.index === 0);
}

/** Splits one sentence at the words that join two questions. Both sides must be questions. */
function splitSentence(sentence: string): string[] {
  if (HAN.test(sentence)) return splitClauses(sentence, CHINESE_JOIN, (part) => CHINESE_ASKING.test(part));
  for (const [index, pattern] of joined.entries()) {
    const parts = splitClauses(sentence, pattern, (part) => asking[index]!.test(part));
    if (parts.length > 1) return parts;
  }
  return [sentence];
}

/** Splits a text at the matches of a pattern, but only where the text on both sides asks something. */
function splitClauses(text: string, pattern: RegExp, asks: (part: string) => boolean): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: join } of text.matchAll(pattern)) {
    const part = text.slice(from, index);
    if (!asks(part) || !hasSubject(part) || !asks(text.slice(index + join.length))) continue;
    parts.push(part);
    from = index + join.length;
  }
  return [...parts, text.slice(from)];
}

/**
 * Returns whether a part of a message has a word other than stop words, so that it can be searched for alone.
 */
function hasSubject(part: string): boolean {
  if (HAN.test(part)) return (part.match(/\p{Script=Han}/gu)?.length ?? 0) >= 4;
  const words = [...listWords(normalize(part))];
  const stopWords = stopWordsFor(words);
  return words.some((word) => !stopWords.has(word));
}

function trimPart(part: string, index: number): string {
  const trimmed = part.replace(/^[\s,;，；、]+|[\s,;，；、]+$/gu, '');
  return index === 0 ? trimmed : trimmed.replace(LEADING_JOIN, '');
}
