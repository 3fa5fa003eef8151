import { composeBlueprint } from '../../../core/bots/generation/compose-blueprint.ts';
import type { BotBlueprint, GenerationInput, SiteDigest } from '../../../core/bots/generation/blueprint.ts';
import { draftByRules, RULES } from '../../../core/bots/generation/draft-by-rules.ts';
import { isLanguageTag } from '../../../core/languages.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { BotGeneration } from '../../../entities/bots/bot-generation.entity.ts';
import { detectLanguage } from '../../knowledge/ingestion/language.ts';

type DraftRow = Pick<Opened<BotGeneration>, 'input' | 'site' | 'notes'>;

/** Column values of a completed draft of a bot. */
export interface FinishedDraft {
  blueprint: BotBlueprint;
  generatedBy: string;
  failure: string | null;
  notes: string[];
}

/**
 * Detects the language of the bot's description. If the description is too short, detects the language of the
 * website.
 */
export async function detectDraftLanguage(
  { description }: GenerationInput,
  site: SiteDigest | null,
): Promise<string | null> {
  const detected = await detectLanguage(description);
  if (detected !== null || !site) return detected;
  if (site.language !== null && isLanguageTag(site.language)) return site.language;
  return detectLanguage(site.pages.map(({ text }) => text).join(' '));
}

/**
 * Drafts a bot by rules, without a model.
 * @param failure reason why no model drafted the bot; null if no model is configured
 */
export async function finishByRules(row: DraftRow, failure: string | null): Promise<FinishedDraft> {
  const { input, site } = row;
  const parts = draftByRules(input, site, await detectDraftLanguage(input, site));
  return {
    blueprint: composeBlueprint(parts, input, site),
    generatedBy: RULES,
    failure,
    notes: collectNotes(row),
  };
}

/** Returns notes for the user about the draft of the bot, such as that the website was not read in time. */
export function collectNotes({ input, site, notes }: DraftRow): string[] {
  const isUnread = input.websiteUrl !== null && site === null && notes.length === 0;
  return isUnread ? ['the website could not be read in time'] : notes;
}
