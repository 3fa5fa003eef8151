import type { Parley } from '../../client.ts';
import type { FlowRead } from '../../generated/models.ts';
import { writeResult, Unsuccessful, UsageError, type Context } from '../command.ts';
import { writeText } from '../files.ts';
import { oneLine } from '../safe-text.ts';
import { formatFlowFile, readFlowFile, type FlowFile } from './flow-file.ts';

export async function pushFlow(context: Context): Promise<void> {
  const { client, args, values } = context;
  const [path = ''] = args;
  const { bot, activate, force } = values as { bot?: string; activate?: boolean; force?: boolean };
  const file = readFlowFile(path);
  let flow =
    file.id === undefined
      ? await client.flows.create(toFlowRequest(file, bot ?? file.bot_id))
      : await replaceFlow(client, { ...file, id: file.id }, force === true);
  // Store the id of the created flow in the file before anything else can fail: the next push needs the id.
  writeText(path, formatFlowFile(flow, path));
  if (activate === true) flow = await client.flows.activate(flow.id);
  const state = flow.is_active ? 'active' : 'inactive';
  writeResult(context, flow, () => oneLine(`${flow.id}  ${state}  revision ${flow.revision}`));
}

/** @throws Unsuccessful if the flow was saved on the server after the file was pulled */
async function replaceFlow(
  { flows }: Parley,
  file: FlowFile & { id: string },
  isForced: boolean,
): Promise<FlowRead> {
  const { bot_id: botId, updated_at: savedAt } = await flows.get(file.id);
  if (!isForced && file.updated_at !== undefined && file.updated_at !== savedAt)
    throw new Unsuccessful(
      `The flow was saved at ${savedAt}, after this file was written: pull the flow and repeat your changes, or push with --force.`,
    );
  return flows.save(file.id, toFlowRequest(file, botId));
}

function toFlowRequest({ name, description, trigger, graph }: FlowFile, botId: string | undefined) {
  if (botId === undefined)
    throw new UsageError('The file does not specify the bot of the flow: push it with --bot <bot_id>.');
  return { bot_id: botId, name, description, trigger, graph };
}
