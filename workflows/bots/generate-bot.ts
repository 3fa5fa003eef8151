import {
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { GenerationActivities } from '../../activities/bots/generation.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { GenerateBotInput } from '../../core/workflows/commands.ts';
import { describeModelFailure } from '../../core/workflows/failures.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

export type GenerationEnd = 'by_model' | 'by_rules' | 'overtaken';

type Site = Awaited<ReturnType<GenerationActivities['readSite']>>;
type Report = Awaited<ReturnType<GenerationActivities['draftBlueprint']>>;

/**
 * Shares of the time for which the caller waits for a generated bot: of 30 seconds, 12 for reading the
 * website and 16 for drafting.
 */
const READING_SHARE = 0.4;
const DRAFTING_SHARE = 0.53;

const { draftByRules } = proxyActivities<GenerationActivities>({
  ...databaseActivity,
  summary: 'Draft the bot by rules, without a model',
});

/**
 * Drafts a bot from a description and a website while the caller waits. If the website cannot be read, the
 * draft lacks the website's information. If the model fails, the bot is drafted by rules.
 */
export async function generateBot(input: GenerateBotInput): Promise<GenerationEnd> {
  const lines: string[] = [];
  if (input.hasWebsite) {
    enter('reading', lines);
    if (!(await readWebsite(input, lines))) return endOvertaken(lines);
  }
  enter('drafting', lines);
  const report = await draft(input, lines);
  if (report === null) return endOvertaken(lines);
  if (report.isRepaired) lines.push('repaired once');
  if (report.tokens)
    lines.push(
      `${pluralize(report.tokens.read, 'token')} read, ${pluralize(report.tokens.written, 'token')} written`,
    );
  const end = report.isByRules ? 'by_rules' : 'by_model';
  enter(end, [`drafted by ${report.generatedBy}`, ...lines]);
  return end;
}

/** Reads the website for which a bot is generated. Returns whether the caller still waits. */
async function readWebsite(input: GenerateBotInput, lines: string[]): Promise<boolean> {
  const { readSite } = proxyActivities<GenerationActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).fetch,
    ...buildDeadlineOptions(input, READING_SHARE),
    summary: 'Read up to five pages of the website',
  });
  try {
    const site = await readSite(input);
    if (site) lines.push(describeSite(site));
    return site !== null;
  } catch (error) {
    if (isCancellation(error)) throw error;
    lines.push('the website could not be read');
    return true;
  }
}

async function draft(input: GenerateBotInput, lines: string[]): Promise<Report> {
  const { draftBlueprint } = proxyActivities<GenerationActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).models,
    ...buildDeadlineOptions(input, DRAFTING_SHARE),
    summary: 'Draft the bot with the model',
  });
  try {
    return await draftBlueprint(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const failure = describeModelFailure(error);
    lines.push(`the model failed: ${failure}`);
    return draftByRules({ ...input, failure });
  }
}

/** Returns options for an activity that must end within its share of the time for which the caller waits. */
function buildDeadlineOptions({ timeoutMs }: GenerateBotInput, share: number) {
  return {
    scheduleToCloseTimeout: Math.round(timeoutMs * share),
    heartbeatTimeout: '10s',
    retry: { initialInterval: '500ms', maximumInterval: '1s', maximumAttempts: 3 },
  } as const;
}

function describeSite({ pages, characters, isRefused }: NonNullable<Site>): string {
  if (isRefused) return 'robots.txt disallows reading the website';
  return `${pluralize(pages, 'page')} · ${pluralize(characters, 'character')}`;
}

function endOvertaken(lines: string[]): GenerationEnd {
  enter('overtaken', ['the caller no longer waits for the draft', ...lines]);
  return 'overtaken';
}

function enter(state: GenerationEnd | 'reading' | 'drafting', lines: string[]): void {
  upsertSearchAttributes([{ key: searchAttributes.generationState, value: [state] }]);
  setCurrentDetails(formatDetails(`Phase: ${state}`, lines));
}
