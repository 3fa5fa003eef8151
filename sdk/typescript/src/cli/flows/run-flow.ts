import type { FlowTestRequest } from '../../generated/models.ts';
import { writeResult, Unsuccessful, type Context } from '../command.ts';
import { readJsonOption, parsePair } from '../option-values.ts';
import { readFlowFile } from './flow-file.ts';
import { findTestFlow } from './flow-target.ts';
import { formatTrial } from './trial-text.ts';

/** Maximum number of visitor messages in a test run of a flow. */
export const MAX_INPUTS = 50;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Values {
  bot?: string;
  said?: string;
  page?: string;
  var?: string[];
  samples?: string;
  model?: boolean;
}

export async function runFlow(context: Context): Promise<void> {
  const { client, args } = context;
  const [target = '', ...inputs] = args;
  const { bot } = context.values as Values;
  const file = UUID.test(target) ? undefined : readFlowFile(target);
  const flowId = file ? await findTestFlow(client, file, bot) : target;
  const graph = file && { graph: file.graph };
  const trial = await client.flows.test(flowId, { inputs, ...graph, ...(await readTestOptions(context)) });
  writeResult(context, trial, () => formatTrial(trial));
  if (trial.outcome === 'failed') throw new Unsuccessful();
}

async function readTestOptions(context: Context): Promise<FlowTestRequest> {
  const { said, page, var: variables = [], samples, model } = context.values as Values;
  return {
    ...(said !== undefined && { message: said }),
    ...(page !== undefined && { page_url: page }),
    ...(samples !== undefined && {
      samples: (await readJsonOption(context, samples, '--samples')) as Record<string, unknown>,
    }),
    variables: Object.fromEntries(variables.map((text) => parsePair('--var', text))),
    use_model: model === true,
  };
}
