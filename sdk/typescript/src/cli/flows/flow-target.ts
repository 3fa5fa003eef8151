import type { Parley } from '../../client.ts';
import { UsageError } from '../command.ts';
import type { FlowFile } from './flow-file.ts';

/**
 * The flow in whose place a graph is tried: its own, or any of the same bot for one that was never saved.
 * @throws UsageError where there is none
 */
export async function flowToTryAs(
  { flows }: Parley,
  { id, bot_id: ownBotId }: FlowFile,
  given: string | undefined,
): Promise<string> {
  if (id !== undefined) return id;
  const botId = given ?? ownBotId;
  if (botId === undefined)
    throw new UsageError('The file does not say which bot the flow is for: say --bot <bot_id>.');
  const { items } = await flows.list({ bot_id: botId, limit: 1 });
  if (items[0]) return items[0].id;
  throw new UsageError(
    'The bot has no flow yet, and nothing can be tried without: push the file, which saves it inactive.',
  );
}
