import type { Parley } from '../../client.ts';
import { UsageError } from '../command.ts';
import type { FlowFile } from './flow-file.ts';

/**
 * Returns the flow in whose place the API tests a graph: the graph's own flow, or any flow of the same bot if
 * the graph was never saved.
 * @throws UsageError if the bot is unknown or has no flow
 */
export async function findTestFlow(
  { flows }: Parley,
  { id, bot_id: ownBotId }: FlowFile,
  botOption: string | undefined,
): Promise<string> {
  if (id !== undefined) return id;
  const botId = botOption ?? ownBotId;
  if (botId === undefined)
    throw new UsageError('The file does not specify the bot of the flow: add --bot <bot_id>.');
  const { items } = await flows.list({ bot_id: botId, limit: 1 });
  if (items[0]) return items[0].id;
  throw new UsageError(
    'A test needs a flow, but the bot has none yet: push the file, which saves an inactive flow.',
  );
}
