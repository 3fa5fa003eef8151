import { toHyphenated } from '../../../core/languages.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ArchiveImportRepository } from '../../../repositories/archive/archive-import.repository.ts';
import type { BotService } from '../../bots/bot-service.ts';
import type { Quotas } from '../../usage/quotas.ts';
import type { BotRecord } from '../archive-records.ts';
import { toCandidateIds, findExistingBots, type BatchResult } from './import-context.ts';

export interface ImportBotsDeps {
  rows: ArchiveImportRepository;
  bots: Pick<BotService, 'insertArchived'>;
  quotas: Quotas;
}

/**
 * Checks that the workspace's plan allows the bots that the import would create, before it creates any bot.
 * @param archivedIds ids of the bots in the archive
 * @throws AppError `quota_exceeded`
 */
export async function requireCapacityForBots(
  { rows, quotas }: Pick<ImportBotsDeps, 'rows' | 'quotas'>,
  scope: OrgScope,
  archivedIds: ReadonlySet<string>,
): Promise<void> {
  const existing = await findExistingBots(rows, scope, [...archivedIds]);
  const missingCount = archivedIds.size - existing.size;
  if (missingCount > 0) await quotas.check(scope, 'bots', missingCount);
}

/**
 * Creates the archive's bots that the workspace lacks, as archived bots. Archived bots do not count toward
 * the plan's limit.
 * @param items bots of the archive with their line numbers
 */
export async function importBots(
  { rows, bots }: ImportBotsDeps,
  scope: OrgScope,
  items: readonly { record: BotRecord; line: number }[],
): Promise<BatchResult> {
  const result = { counts: { bots: 0 }, errors: [] as BatchResult['errors'] };
  const existing = new Map(
    await findExistingBots(
      rows,
      scope,
      items.map(({ record }) => record.id),
    ),
  );
  const ids = items.flatMap(({ record }) => toCandidateIds(scope, record.id));
  const usedIds = new Set((await rows.listBots(scope, ids)).map(({ id }) => id));
  for (const { record, line } of items) {
    if (existing.has(record.id)) continue;
    const id = toCandidateIds(scope, record.id).find((each) => !usedIds.has(each));
    if (id === undefined) {
      const message =
        'The bot is being deleted from this workspace; import the archive again once it is deleted.';
      result.errors.push({ line, id: record.id, code: 'bot_being_removed', message });
      continue;
    }
    await bots.insertArchived(scope, {
      id,
      name: record.name,
      description: record.description ?? null,
      language: toHyphenated(record.language ?? 'auto'),
      ...(record.created_at !== undefined && { createdAt: new Date(record.created_at) }),
    });
    existing.set(record.id, id);
    result.counts.bots += 1;
  }
  return result;
}
