import { answerTexts } from '../../conversations/answer-texts.ts';
import { chooseLanguage, languages } from '../../languages.ts';
import { partLimits, type DraftParts, type GenerationInput, type SiteDigest } from './blueprint.ts';
import { draftTexts } from './draft-texts.ts';
import { isInstruction } from './instructions.ts';
import { detectIndustry, listIndustryTopics } from './industries.ts';
import { toSafeLine, splitSentences } from './plain-text.ts';

/** Name, stored with a generated bot, of the generator that uses fixed rules instead of a language model. */
export const RULES = 'rules-1';

const STARTERS = 4;
const DESCRIPTION_SENTENCES = 10;
const MAX_NAME_WORDS = 8;

const NAME_IN_DESCRIPTION =
  /^["“„«]?(\p{Lu}[^.!?\n"”“»]{0,70}?)["”“»]?,? (?:is (?:an?|the|een|de|het)|ist (?:eine?|der|die|das)|es (?:una?|el|la)|est (?:une?|le|la)|è (?:un[ao]?|il|la|un[’'])|é (?:uma?|o|a)) /u;
/**
 * Matches a capitalized name before a verb that says what the business does, as in “Harbour Bikes rents
 * e-bikes”.
 */
const NAME_BEFORE_VERB =
  /^(\p{Lu}[\p{L}\p{N}&'’-]*(?: (?:&|and|of|und|\p{Lu}[\p{L}\p{N}&'’-]*)){0,6}) (?:rents|sells|offers|makes|runs|provides|repairs|delivers|hires|builds|teaches|vermietet|verkauft|bietet|repariert|liefert) /u;
/** Matches words at the start of a text that refer to a business without naming it, such as “we”. */
const NO_NAME =
  /^(?:we|our|it|this|that|i|my|wir|unser\w*|das|dies\w*|ich|mein\w*|nosotros|nuestr\w+|est[ea]|nous|notre|c|ce|noi|il nostro|la nostra|questo|wij|ons|onze|dit|nós|noss\w+)(?:\s|$)/i;
const HOME =
  /^(?:home|homepage|welcome|start|startseite|willkommen|inicio|bienvenid\w*|accueil|bienvenue|benvenut\w*|welkom|início|bem-?vind\w*|index|untitled)$/i;

/**
 * Drafts a bot from the owner's description and the website by fixed rules. Equal inputs give equal drafts.
 * @param language language of the description, or of the website if the description is too short; null if
 * unknown
 */
export function draftByRules(
  { description, websiteUrl }: GenerationInput,
  site: SiteDigest | null,
  language: string | null,
): DraftParts {
  const supportedLanguage = languages.find((known) => known === language) ?? null;
  const texts = draftTexts[chooseLanguage(supportedLanguage ? [supportedLanguage] : [])];
  const business = findName(description, site, websiteUrl);
  const industry = detectIndustry(`${description}\n${site?.description ?? ''}`);
  const topics = listIndustryTopics(industry);
  const questions = site?.questions ?? [];
  const defaultQuestions = topics.slice(0, STARTERS).map((topic) => texts[topic][1]);
  const ownTopics = site?.topics ?? [];
  const sentences = splitSentences(description).slice(0, DESCRIPTION_SENTENCES);
  return {
    name: business ?? texts.assistant,
    description: takeFirstSentences(description),
    industry,
    language: supportedLanguage ?? 'auto',
    role: 'You answer the questions of its visitors.',
    tone: 'Friendly, clear and brief.',
    facts: [...sentences.filter((sentence) => !isInstruction(sentence)), site?.description ?? ''],
    rules: [
      'Say so when you do not know something, and never make anything up.',
      'Never promise prices, dates or discounts that are not in the documents.',
      'Speak about the business and what it offers; decline other subjects politely.',
      ...sentences.filter(isInstruction),
    ],
    welcome_message: texts.welcome(business),
    fallback_message: answerTexts(chooseLanguage(supportedLanguage ? [supportedLanguage] : [])).fallback,
    starter_questions: questions.length > 0 ? questions.slice(0, STARTERS) : defaultQuestions,
    suggested_kb_topics: (ownTopics.length > 0 ? ownTopics : topics.map((topic) => texts[topic][0])).slice(
      0,
      partLimits.topics,
    ),
  };
}

function findName(description: string, site: SiteDigest | null, websiteUrl: string | null): string | null {
  const text = description.trim();
  const statedName = (NAME_IN_DESCRIPTION.exec(text) ?? NAME_BEFORE_VERB.exec(text))?.[1];
  const host =
    site?.host ?? (websiteUrl !== null && URL.canParse(websiteUrl) ? new URL(websiteUrl).host : '');
  const label = toLabel(host);
  const candidates = [
    ...(site?.names ?? []),
    ...(statedName !== undefined && !NO_NAME.test(statedName) ? [statedName] : []),
    ...splitTitle(site?.pages[0]?.title ?? '', label),
    label,
  ];
  return candidates.map((name) => toSafeLine(name, partLimits.name)).find(isName) ?? null;
}

function isName(name: string): boolean {
  return /\p{L}/u.test(name) && name.split(' ').length <= MAX_NAME_WORDS && !HOME.test(name);
}

/**
 * Splits the title of a page, such as “Home | Acme Bikes”, into its parts. Returns the parts that resemble
 * the website's host first.
 */
function splitTitle(title: string, label: string): string[] {
  const parts = title.split(/\s+[|–—·»:-]\s+|\s*[|»]\s*/).filter((part) => part.trim() !== '');
  const isLikeHost = (part: string) =>
    keepLettersAndDigits(label) !== '' && keepLettersAndDigits(part).includes(keepLettersAndDigits(label));
  return [...parts.filter(isLikeHost), ...parts];
}

const keepLettersAndDigits = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Derives the name of a business from its website's host, such as “Acme Bikes” from `www.acme-bikes.co.uk`;
 * empty for an IP address.
 */
function toLabel(host: string): string {
  const name = host.replace(/:\d+$/, '').replace(/^www\./, '');
  if (/^[\d.]+$|[[\]]/.test(name) || name === 'localhost') return '';
  const labels = name.split('.');
  const [last = '', before] = (labels.length > 1 ? labels.slice(0, -1) : labels).toReversed();
  const label = last.length <= 3 && before !== undefined ? before : last;
  return label
    .split(/[-_]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

function takeFirstSentences(description: string): string {
  let text = '';
  for (const sentence of splitSentences(description)) {
    if (text !== '' && text.length + sentence.length + 1 > partLimits.description) break;
    text = text === '' ? sentence : `${text} ${sentence}`;
  }
  return text;
}
