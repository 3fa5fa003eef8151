import { detectTextLanguageCode } from '../../core/answers/terms.ts';
import type { QuestionWords } from '../../core/analytics/same-question.ts';
import { mapCooperatively } from '../../core/concurrency/cooperative.ts';
import type { Database } from '../../database/database.ts';
import type { QuestionRepository } from '../../repositories/analytics/question.repository.ts';
import { detectLanguage, chooseSearchConfig } from '../knowledge/ingestion/language.ts';
import { toSearchText } from '../knowledge/search/search-text.ts';
import type { ParsedQuestion } from './read-question.ts';

/** A visitor's question to a bot. */
export interface BotQuestion extends ParsedQuestion {
  botId: string;
  /** Language code from the bot's settings, or `auto`. */
  language: string;
}

const MAX_LEXEMES = 24;
/**
 * Minimum number of words from which a question's language is detected reliably. For a shorter question, the
 * result must be a language of the bot's documents.
 */
const MIN_CERTAIN_WORDS = 4;
const NO_STEMMER = 'simple';
const FALLBACK_CONFIG = 'english';

/**
 * Returns the lexemes and names of each question. Words are stemmed in the language of the bot's settings, or
 * in the visitor's language if the settings name none.
 */
export async function stemQuestions(
  db: Database,
  repository: QuestionRepository,
  questions: readonly BotQuestion[],
): Promise<QuestionWords[]> {
  const bots = [...new Set(questions.map(({ botId }) => botId))];
  const configsByBot = await repository.listDocumentConfigs(db, bots);
  const texts = await mapCooperatively(questions, async (question) => ({
    config: await selectQuestionConfig(question, configsByBot.get(question.botId) ?? []),
    // Uses whole words, even for languages without a stemmer. Trigrams of a few words would exceed the
    // maximum number of lexemes.
    content: toSearchText(question.content, FALLBACK_CONFIG),
    names: toSearchText(question.names, FALLBACK_CONFIG),
  }));
  const rows = await repository.listLexemes(db, texts);
  const words = questions.map(() => ({ lexemes: [] as string[], names: [] as string[] }));
  for (const { position, lexeme, isName } of rows) {
    const { lexemes, names } = words[position - 1]!;
    if (lexemes.length === MAX_LEXEMES) continue;
    lexemes.push(lexeme);
    if (isName) names.push(lexeme);
  }
  return words;
}

/**
 * Chooses the language in which a question's words are stemmed.
 * @param documentConfigs search configurations of the bot's documents; the one with the most passages comes first
 */
async function selectQuestionConfig(
  { subject, language }: BotQuestion,
  documentConfigs: string[],
): Promise<string> {
  if (language !== 'auto') return chooseSearchConfig(language);
  const likelyLanguage = detectTextLanguageCode(subject);
  const detected = likelyLanguage ?? (await detectLanguage(subject));
  const config = detected === null ? null : chooseSearchConfig(detected);
  const isCertain = likelyLanguage !== null || subject.split(/\s+/u).length >= MIN_CERTAIN_WORDS;
  if (config !== null && (isCertain || documentConfigs.length === 0 || documentConfigs.includes(config)))
    return config;
  return documentConfigs.find((known) => known !== NO_STEMMER) ?? FALLBACK_CONFIG;
}
