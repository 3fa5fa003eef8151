import { Type, type Static } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { inputKinds } from '../../core/flows/node-type.ts';
import type { FlowTest, FlowTestResult } from '../../services/flows/flow-test-service.ts';
import type { TrialInput } from '../../services/flows/trial-run.ts';
import { FreeForm, Nullable, StringEnum, Strict } from '../http/schemas/schemas.ts';

const DEFAULT_MAX_STEPS = 200;

const Input = Type.Unsafe<TrialInput>({
  type: ['string', 'object'],
  maxLength: MAX_MESSAGE_LENGTH,
  properties: { option_id: Type.String({ minLength: 1, maxLength: 64, description: 'The option’s id.' }) },
  required: ['option_id'],
  additionalProperties: false,
  description: 'A text, or the option that the visitor chooses.',
  examples: [{ option_id: 'yes' }, 'Porto'],
});

export const FlowTestRequest = Strict(
  {
    message: Type.Optional(
      Type.String({
        maxLength: MAX_MESSAGE_LENGTH,
        description:
          'The visitor’s message before the flow starts. The variable `last_message` has this value until the first input.',
      }),
    ),
    inputs: Type.Optional(
      Type.Array(Input, {
        maxItems: 50,
        description: 'The visitor’s inputs, one for each time the flow waits, in order.',
      }),
    ),
    variables: Type.Optional(FreeForm('Variables at the start.')),
    contact: Type.Optional(FreeForm('The values of variables whose paths start with `contact`.')),
    page_url: Type.Optional(
      Nullable(Type.String({ maxLength: 2000, description: 'The page that the visitor is on.' })),
    ),
    graph: Type.Optional(FreeForm('A graph to run instead of the saved one, which stays unchanged.')),
    samples: Type.Optional(
      FreeForm(
        'Simulated results of steps with external calls, by node id: `{"ask_shop": {"port": "out", "body": {"state": "sent"}}}`.',
      ),
    ),
    use_model: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to call the bot’s model, at its usual price, for steps without a simulated result.',
      }),
    ),
    max_steps: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        default: DEFAULT_MAX_STEPS,
        description: 'Maximum number of steps.',
      }),
    ),
  },
  { $id: 'FlowTestRequest', description: 'The input of a trial run.' },
);

const FlowInput = Type.Object(
  {
    node_id: Type.String({ description: 'The node that asks.' }),
    kind: StringEnum(inputKinds, { description: 'The kind of input.' }),
    options: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The value for `option_id`.' }),
        label: Type.String({ description: 'The label shown to the visitor.' }),
      }),
      { description: 'The options.' },
    ),
  },
  { $id: 'FlowInput', description: 'The input that a flow waits for.' },
);

const FlowStep = Type.Object(
  {
    node_id: Type.String({ description: 'The node.' }),
    type: Type.String({ description: 'Type of the node.' }),
    port: Nullable(
      Type.String({ description: 'The port through which the run continued; null if it did not continue.' }),
    ),
    input: Nullable(Type.String({ description: 'The visitor’s input.' })),
    output: Nullable(Type.String({ description: 'Messages of the step.' })),
    note: Nullable(Type.String({ description: 'Additional details.' })),
    changed: FreeForm('New values of variables; null for a removed variable.'),
  },
  { $id: 'FlowStep', description: 'A step of a trial run.' },
);

const FlowMessage = Type.Object(
  {
    role: StringEnum(['user', 'assistant'], { description: 'The author’s role.' }),
    content: Type.String({ description: 'The text, in Markdown. All texts of a turn form one message.' }),
    input: Type.Optional(FlowInput),
  },
  { $id: 'FlowMessage', description: 'A message of a trial.' },
);

const FlowFault = Type.Object(
  {
    field: Type.String({
      description: 'Location of the problem in the graph.',
      examples: ['graph.nodes[3].data.text'],
    }),
    message: Type.String({
      description: 'A human-readable description, with the node’s name.',
      examples: ['Node "ask": text must not be empty'],
    }),
  },
  { $id: 'FlowFault', description: 'A problem that prevents the activation of a flow.' },
);

export const FlowTestResponse = Type.Object(
  {
    outcome: StringEnum(['completed', 'waiting', 'handed_over', 'failed'], {
      description: 'The result; waiting: the flow needs an input that was not provided.',
    }),
    path: Type.Array(FlowStep, { description: 'The steps that were taken, in order.' }),
    messages: Type.Array(FlowMessage, { description: 'The messages of the flow.' }),
    variables: FreeForm('The variables at the end.'),
    waiting_for: Type.Unsafe<Static<typeof FlowInput> | null>({
      ...Nullable(Type.Object(FlowInput.properties)),
      description: 'The input that the flow waits for; null if the flow does not wait.',
    }),
    error: Nullable(
      Type.Object(
        {
          node_id: Type.String({ description: 'The node at which the flow failed.' }),
          code: Type.String({ description: 'The kind of failure.' }),
          message: Type.String({ description: 'A human-readable description.' }),
        },
        { description: 'Reason why the flow failed; null if it did not.' },
      ),
    ),
    warnings: Type.Array(Type.String(), {
      description: 'Actions that were skipped because this is a trial run.',
    }),
    lacking: Type.Array(FlowFault, {
      description: 'Problems that prevent activation, as in `activateFlow`; empty if there are none.',
    }),
  },
  { $id: 'FlowTestResponse', description: 'The result of a trial run.' },
);

export function toFlowTest(body: Static<typeof FlowTestRequest>): FlowTest {
  const { message = '', inputs = [], variables = {}, contact = {}, samples = {} } = body;
  const { graph = null, page_url: pageUrl = null, use_model: asksModels = false } = body;
  const maxSteps = body.max_steps ?? DEFAULT_MAX_STEPS;
  return { message, inputs, variables, contact, samples, graph, pageUrl, asksModels, maxSteps };
}

export function presentFlowTest({ lacking, ...result }: FlowTestResult): Static<typeof FlowTestResponse> {
  return { ...result, lacking: lacking.map(({ field, message }) => ({ field, message })) };
}
