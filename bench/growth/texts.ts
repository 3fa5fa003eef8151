import { indexDocument } from '../search.ts';
import { buildQuestions, readTexts } from '../support/installed-texts.ts';
import type { GrowthScene } from './dimension.ts';

/** Number of passages that the bench really reads and indexes; further passages are copies. */
export const INDEXED = 10_000;
export const CHUNKS_PER_DOCUMENT = 20;

let questions: string[] = [];

/** Indexes `count` passages for the workspace's bot, and collects questions about them for `pickQuestion`. */
export async function indexTexts({ db, workspace }: GrowthScene, count: number): Promise<void> {
  const texts = readTexts(count);
  questions = buildQuestions(texts);
  for (let at = 0; at < texts.length; at += CHUNKS_PER_DOCUMENT)
    await indexDocument(
      { orgId: workspace.orgId, db },
      workspace.botId,
      texts.slice(at, at + CHUNKS_PER_DOCUMENT),
    );
  await db.sql("UPDATE documents SET status = 'indexed' WHERE status <> 'indexed'");
}

export function pickQuestion(call: number): string {
  return questions[call % questions.length]!;
}
