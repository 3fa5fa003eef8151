import { writeFileSync } from 'node:fs';
import { show, type Context } from '../command.ts';
import { flowFileText } from './flow-file.ts';

export async function pullFlow(context: Context): Promise<void> {
  const { client, args, isJson, out } = context;
  const [flowId = '', file] = args;
  const flow = await client.flows.get(flowId);
  const text = flowFileText(flow);
  if (file === undefined) return out(isJson ? `${JSON.stringify(JSON.parse(text))}\n` : text);
  writeFileSync(file, text);
  show(context, { id: flow.id, file }, () => `${flow.name} is in ${file}.`);
}
