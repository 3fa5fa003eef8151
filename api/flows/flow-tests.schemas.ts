import { Type, type Static } from '@sinclair/typebox';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { inputKinds } from '../../core/flows/node-type.ts';
import type { FlowTest, TestedFlow } from '../../services/flows/flow-test-service.ts';
import type { TrialInput } from '../../services/flows/trial-run.ts';
import { FreeForm, Nullable, OneOf, Strict } from '../http/schemas/schemas.ts';

const USUAL_STEPS = 200;

const Input = Type.Unsafe<TrialInput>({
  type: ['string', 'object'],
  maxLength: MAX_MESSAGE_LENGTH,
  properties: { option_id: Type.String({ minLength: 1, maxLength: 64, description: 'The option’s id.' }) },
  required: ['option_id'],
  additionalProperties: false,
  description: 'A text, or an option that is picked.',
  examples: [{ option_id: 'yes' }, 'Porto'],
});

export const FlowTestRequest = Strict(
  {
    message: Type.Optional(
      Type.String({
        maxLength: MAX_MESSAGE_LENGTH,
        description: 'What the visitor has said when the flow begins: `last_message` until the first input.',
      }),
    ),
    inputs: Type.Optional(
      Type.Array(Input, {
        maxItems: 50,
        description: 'What the visitor says or picks each time the flow waits, in order.',
      }),
    ),
    variables: Type.Optional(FreeForm('Variables that there are when it begins.')),
    contact: Type.Optional(FreeForm('What paths that begin with `contact` find.')),
    page_url: Type.Optional(
      Nullable(Type.String({ maxLength: 2000, description: 'The page that the visitor is on.' })),
    ),
    graph: Type.Optional(FreeForm('A graph to try in the place of the saved one, which stays.')),
    samples: Type.Optional(
      FreeForm(
        'How steps go that reach for something outside, by their nodes’ ids: `{"ask_shop": {"port": "out", "body": {"state": "sent"}}}`.',
      ),
    ),
    use_model: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the bot’s model is asked, at its usual price, where there is no sample.',
      }),
    ),
    max_steps: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: USUAL_STEPS, description: 'Steps at most.' }),
    ),
  },
  { $id: 'FlowTestRequest', description: 'What a flow is tried with.' },
);

const FlowInput = Type.Object(
  {
    node_id: Type.String({ description: 'The node that asks.' }),
    kind: OneOf(inputKinds, { description: 'What it asks for.' }),
    options: Type.Array(
      Type.Object({
        id: Type.String({ description: 'What `option_id` says.' }),
        label: Type.String({ description: 'What the visitor reads.' }),
      }),
      { description: 'What there is to choose.' },
    ),
  },
  { $id: 'FlowInput', description: 'What a flow waits for.' },
);

const FlowStep = Type.Object(
  {
    node_id: Type.String({ description: 'The node.' }),
    type: Type.String({ description: 'Its type.' }),
    port: Nullable(Type.String({ description: 'The port that it was left by; null where it was not.' })),
    input: Nullable(Type.String({ description: 'What the visitor has said to it.' })),
    output: Nullable(Type.String({ description: 'What it said.' })),
    note: Nullable(Type.String({ description: 'What else is to be known.' })),
    changed: FreeForm('Variables that got these values; null for one that is gone.'),
  },
  { $id: 'FlowStep', description: 'One step of a trial.' },
);

const FlowMessage = Type.Object(
  {
    role: OneOf(['user', 'assistant'], { description: 'Who says it.' }),
    content: Type.String({ description: 'The text, in Markdown; all that a turn says is one message.' }),
    input: Type.Optional(FlowInput),
  },
  { $id: 'FlowMessage', description: 'A message of a trial.' },
);

const FlowFault = Type.Object(
  {
    field: Type.String({ description: 'Where it is.', examples: ['graph.nodes[3].data.text'] }),
    message: Type.String({
      description: 'What is wrong, for people; it names the node.',
      examples: ['Node "ask": text must not be empty'],
    }),
  },
  { $id: 'FlowFault', description: 'Something that keeps a flow from being activated.' },
);

export const FlowTestResponse = Type.Object(
  {
    outcome: OneOf(['completed', 'waiting', 'handed_over', 'failed'], {
      description: 'How it ended; waiting: for an input that was not given.',
    }),
    path: Type.Array(FlowStep, { description: 'The steps that were taken, in order.' }),
    messages: Type.Array(FlowMessage, { description: 'What was said.' }),
    variables: FreeForm('The variables as they were in the end.'),
    waiting_for: Type.Unsafe<Static<typeof FlowInput> | null>({
      ...Nullable(Type.Object(FlowInput.properties)),
      description: 'What it waits for; null where it does not.',
    }),
    error: Nullable(
      Type.Object(
        {
          node_id: Type.String({ description: 'The node that it ended at.' }),
          code: Type.String({ description: 'What kind of failure it was.' }),
          message: Type.String({ description: 'What happened, for people.' }),
        },
        { description: 'Why it failed; null where it did not.' },
      ),
    ),
    warnings: Type.Array(Type.String(), { description: 'What was not done because it was a trial.' }),
    lacking: Type.Array(FlowFault, {
      description:
        'What keeps the graph from being activated, as `activateFlow` would say; empty where nothing does.',
    }),
  },
  { $id: 'FlowTestResponse', description: 'How a flow went that was tried.' },
);

export function flowTest(body: Static<typeof FlowTestRequest>): FlowTest {
  const { message = '', inputs = [], variables = {}, contact = {}, samples = {} } = body;
  const { graph = null, page_url: pageUrl = null, use_model: asksModels = false } = body;
  const maxSteps = body.max_steps ?? USUAL_STEPS;
  return { message, inputs, variables, contact, samples, graph, pageUrl, asksModels, maxSteps };
}

export function presentFlowTest({ lacking, ...result }: TestedFlow): Static<typeof FlowTestResponse> {
  return { ...result, lacking: lacking.map(({ field, message }) => ({ field, message })) };
}
