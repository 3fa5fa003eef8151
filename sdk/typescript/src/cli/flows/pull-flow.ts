import { writeResult, type Context } from '../command.ts';
import { writeText } from '../files.ts';
import { oneLine } from '../safe-text.ts';
import { formatFlowFile } from './flow-file.ts';

export async function pullFlow(context: Context): Promise<void> {
  const { client, args, isJson, json, out } = context;
  const [flowId = '', file] = args;
  const flow = await client.flows.get(flowId);
  const text = formatFlowFile(flow, file);
  if (file === undefined) return isJson ? json(JSON.parse(text)) : out(text);
  writeText(file, text);
  writeResult(context, { id: flow.id, file }, () => oneLine(`${flow.name} was written to ${file}.`));
}
