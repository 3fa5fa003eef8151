import type { FlowTestRequest } from '../../generated/models.ts';
import { show, Unsuccessful, type Context } from '../command.ts';
import { jsonValue, pairOf } from '../option-values.ts';
import { readFlowFile } from './flow-file.ts';
import { flowToTryAs } from './flow-target.ts';
import { trialText } from './trial-text.ts';

/** Maximum number of visitor messages in a test run. */
export const MOST_INPUTS = 50;

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
  const [what = '', ...inputs] = args;
  const { bot } = context.values as Values;
  const file = UUID.test(what) ? undefined : readFlowFile(what);
  const flowId = file ? await flowToTryAs(client, file, bot) : what;
  const graph = file && { graph: file.graph };
  const trial = await client.flows.test(flowId, { inputs, ...graph, ...(await surroundingsOf(context)) });
  show(context, trial, () => trialText(trial));
  if (trial.outcome === 'failed') throw new Unsuccessful();
}

async function surroundingsOf(context: Context): Promise<FlowTestRequest> {
  const { said, page, var: variables = [], samples, model } = context.values as Values;
  return {
    ...(said !== undefined && { message: said }),
    ...(page !== undefined && { page_url: page }),
    ...(samples !== undefined && {
      samples: (await jsonValue(context, samples, '--samples')) as Record<string, unknown>,
    }),
    variables: Object.fromEntries(variables.map((text) => pairOf('--var', text))),
    use_model: model === true,
  };
}
