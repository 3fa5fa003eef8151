import { benchAlerts } from './alerts.ts';
import { benchAnalytics } from './analytics.ts';
import { benchArchive } from './archive.ts';
import { bulkBenches } from './bulk.ts';
import { benchCorpora } from './corpora.ts';
import { benchConnections } from './connections.ts';
import { benchCreateBot } from './create-bot.ts';
import { benchDrafts } from './drafts.ts';
import { benchEnumeration } from './enumeration.ts';
import { benchFirstToken } from './first-token.ts';
import { benchGetBot } from './get-bot.ts';
import { benchFlows } from './flows.ts';
import { benchGeneration } from './generation.ts';
import { growthBenches } from './growth.ts';
import { benchHierarchy } from './hierarchy.ts';
import { benchInbox } from './inbox.ts';
import { benchHandoff } from './handoff.ts';
import { benchIdle } from './idle.ts';
import { benchIngestion } from './ingestion.ts';
import { benchLimits } from './limits.ts';
import { benchMcp } from './mcp.ts';
import { benchPages } from './pages.ts';
import { benchQuestions } from './questions.ts';
import { retrievalBenches } from './retrieval.ts';
import { benchIndexing } from './retrieval/indexing.ts';
import { benchSdk } from './sdk.ts';
import { benchSealing } from './sealing.ts';
import { benchSdkPython } from './sdk-python.ts';
import { benchSearch } from './search.ts';
import { benchSignIn } from './sign-in.ts';
import { benchSlots } from './slots.ts';
import { benchStart } from './start.ts';
import { benchStreams } from './streams.ts';
import { benchQuota } from './quota.ts';
import { benchUsageRecount } from './usage/recount.ts';
import { benchUsage } from './usage/summary.ts';
import { benchVectors } from './vectors.ts';
import { webhookBenches } from './webhooks.ts';
import type { Figure } from './support/figure.ts';
import { startInstallation, type Installation } from './support/installation.ts';

const benches: Record<string, () => Promise<Figure[]>> = {
  'get-bot': () => runOnInstallation(benchGetBot),
  'create-bot': () => runOnInstallation(benchCreateBot),
  ...Object.fromEntries(
    Object.entries(bulkBenches).map(([name, bench]) => [name, () => runOnInstallation(bench)]),
  ),
  connections: () => runOnInstallation(benchConnections),
  hierarchy: () => runOnInstallation(benchHierarchy),
  analytics: () => runOnInstallation(benchAnalytics),
  archive: () => runOnInstallation(benchArchive),
  inbox: () => runOnInstallation(benchInbox),
  ingestion: () => runOnInstallation(benchIngestion),
  mcp: () => runOnInstallation(benchMcp),
  pages: () => runOnInstallation(benchPages),
  questions: () => runOnInstallation(benchQuestions),
  ...Object.fromEntries(
    Object.entries(retrievalBenches).map(([name, bench]) => [name, () => runOnInstallation(bench)]),
  ),
  'retrieval/indexing': benchIndexing,
  sdk: () => runOnInstallation(benchSdk),
  search: () => runOnInstallation(benchSearch),
  'sdk/python': () => runOnInstallation(benchSdkPython),
  vectors: () => runOnInstallation(benchVectors),
  'sign-in': benchSignIn,
  enumeration: benchEnumeration,
  streams: benchStreams,
  'first-token': benchFirstToken,
  flows: benchFlows,
  generation: benchGeneration,
  handoff: benchHandoff,
  limits: benchLimits,
  slots: benchSlots,
  alerts: benchAlerts,
  usage: benchUsage,
  'usage/recount': benchUsageRecount,
  quota: benchQuota,
  sealing: benchSealing,
  ...webhookBenches,
  start: benchStart,
  idle: benchIdle,
};

/** Benches that run only by name, since they take minutes or need an external service. */
const onDemandBenches: typeof benches = {
  ...growthBenches,
  drafts: benchDrafts,
  corpora: () => benchCorpora(corporaFolder),
};

async function runOnInstallation(
  bench: (installation: Installation) => Promise<Figure[]>,
): Promise<Figure[]> {
  const installation = await startInstallation();
  try {
    return await bench(installation);
  } finally {
    await installation.stop();
  }
}

const requestedNames = process.argv.slice(2);
/** Folder of the document corpora: the argument after the bench name `corpora`. */
const [corporaFolder] = requestedNames[0] === 'corpora' ? requestedNames.splice(1) : [];
const all = { ...benches, ...onDemandBenches };
/**
 * Whether a word selects a bench: the word `webhooks`, for example, selects all benches whose names begin
 * with `webhooks/`.
 */
const isSelectedBy = (name: string) => (word: string) => word === name || name.startsWith(`${word}/`);
const unknown = requestedNames.filter((word) => !Object.keys(all).some((name) => isSelectedBy(name)(word)));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench ${unknown.join(', ')}; there are: ${Object.keys(all).join(', ')}.\n`,
  );
  process.exit(1);
}
for (const [name, bench] of Object.entries(requestedNames.length > 0 ? all : benches)) {
  if (requestedNames.length > 0 && !requestedNames.some(isSelectedBy(name))) continue;
  for (const figure of await bench()) process.stdout.write(`${JSON.stringify(figure)}\n`);
}
process.exit(0);
