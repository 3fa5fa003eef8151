import { Type, type Static } from '@sinclair/typebox';
import { cutText } from '../../text/cut-text.ts';
import { SingleLine } from '../../text/single-line-schema.ts';
import { OUT, runBounds } from '../flow-graph.ts';
import { foldText } from '../fold-text.ts';
import {
  questionInputKinds,
  leaveStep,
  defineNodeType,
  type DataFault,
  type Effect,
  type FlowOption,
  type StepResult,
  type StepInput,
} from '../node-type.ts';
import { renderMarkdown } from '../templates.ts';
import type { StepWork } from '../step-work.ts';
import { renderValueText } from '../value-text.ts';
import { Data, Line, Name, OneWord, VisitorText, templateAt, Variable } from './node-schemas.ts';
import { normalizeTypedAnswer } from './typed-answer.ts';

const MAX_LABEL = 80;
const MAX_OPTIONS = 12;
const MAX_MINUTES = 1440;
const DEFAULT_RETRIES = 2;

const QuestionData = Data({
  text: VisitorText,
  input: OneWord(questionInputKinds),
  options: Type.Optional(
    Type.Array(Data({ id: Name, label: SingleLine({ minLength: 1, maxLength: MAX_LABEL }) }), {
      minItems: 1,
      maxItems: MAX_OPTIONS,
    }),
  ),
  variable: Type.Optional(Variable),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  retry_text: Type.Optional(Line),
  max_retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
  on_other: Type.Optional(OneWord(['retry', 'answer', 'accept'])),
  timeout_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_MINUTES })),
});
type QuestionData = Static<typeof QuestionData>;

const toOptionPort = ({ id }: Pick<FlowOption, 'id'>) => `option:${id}`;

/**
 * Flow step that asks a question and waits for the reply. After an invalid reply, the step answers from the
 * documents, asks again, or accepts the reply.
 */
export const question = defineNodeType<QuestionData>({
  type: 'question',
  schema: QuestionData,
  ports: ({ options = [], timeout_minutes: timeout }) => [
    ...options.map(toOptionPort),
    OUT,
    'invalid',
    ...(timeout === undefined ? [] : ['timeout']),
  ],
  listRequiredPorts: ({ input, options = [] }) =>
    input === 'choice' ? options.map((option) => [toOptionPort(option), OUT]) : [[OUT]],
  templates: ({ text, retry_text: retry }) => [
    ...templateAt(text, 'text'),
    ...templateAt(retry, 'retry_text'),
  ],
  listRequiredTexts: ({ text }) => templateAt(text, 'text'),
  faults: findFaults,
  step: (data, visit) => {
    const { event } = visit;
    if (event.kind === 'entered') return askQuestion(data, visit, 0);
    if (event.kind === 'timed_out') return { move: leaveStep('timeout') };
    if (event.kind === 'said') return handleReply(data, visit, event);
    if (event.kind === 'booked') return askAgain(data, visit);
    // The event is the result of searching the documents for an answer to the invalid reply.
    if (event.port !== OUT) return askAgain(data, visit);
    return withText(
      renderValueText(event.body, runBounds.insertedLength),
      askQuestion(data, visit, countRetries(visit)),
    );
  },
});

function findFaults({ input, options = [], min, max }: QuestionData): DataFault[] {
  const faults: DataFault[] = [];
  if (input === 'choice' && options.length === 0)
    faults.push({ path: ['options'], message: 'must have at least one item for a choice' });
  if (input !== 'choice' && options.length > 0)
    faults.push({ path: ['options'], message: 'are only allowed for a choice' });
  const ids = options.map(({ id }) => id);
  for (const [at, id] of ids.entries())
    if (ids.indexOf(id) < at) faults.push({ path: ['options', at, 'id'], message: 'must not occur twice' });
  if (min !== undefined && max !== undefined && min > max)
    faults.push({ path: ['max'], message: 'must not be less than min' });
  return faults;
}

function askQuestion(data: QuestionData, { values, work }: StepInput, retries: number): StepResult {
  const { text, input, options = [] } = data;
  return {
    texts: [renderMarkdown(text, values, { work })],
    move: { kind: 'ask', input: { kind: input, options }, memory: { retries } },
  };
}

function handleReply(
  data: QuestionData,
  visit: StepInput,
  reply: { text: string; optionId?: string | undefined },
): StepResult {
  const { variable, on_other: onOther = 'answer', input, options = [] } = data;
  const toChanges = (value: unknown) => (variable === undefined ? {} : { changes: { [variable]: value } });
  if (input === 'choice') {
    const option = findChosenOption(options, reply, visit.work);
    if (option) return { ...toChanges(option.label), move: leaveStep(toOptionPort(option)) };
  } else {
    const answer = normalizeTypedAnswer(data, reply.text);
    if (answer !== null) return { ...toChanges(answer), move: leaveStep(OUT) };
  }
  const typed = reply.text.trim();
  if (typed === '' || onOther === 'retry') return askAgain(data, visit);
  if (onOther === 'accept')
    return { ...toChanges(cutText(typed, runBounds.variableLength)), move: leaveStep(OUT) };
  const effect: Effect = { kind: 'answer', query: reply.text, tags: [] };
  return { move: { kind: 'perform', effect, memory: { retries: countRetries(visit) } } };
}

/** Finds the option of a flow's question that the visitor chose by id, label or number. */
function findChosenOption(
  options: readonly FlowOption[],
  { text, optionId }: { text: string; optionId?: string | undefined },
  work: StepWork,
): FlowOption | undefined {
  if (optionId !== undefined) return options.find(({ id }) => id === optionId);
  const typed = foldText(text, work);
  return (
    options.find(({ label }) => foldText(label, work) === typed) ??
    (/^\d{1,2}\.?$/.test(typed) ? options[Number.parseInt(typed, 10) - 1] : undefined)
  );
}

function askAgain(data: QuestionData, visit: StepInput): StepResult {
  const { max_retries: maxRetries = DEFAULT_RETRIES, retry_text: retry = '' } = data;
  const retries = countRetries(visit) + 1;
  if (retries > maxRetries) return { move: leaveStep('invalid') };
  return withText(
    renderMarkdown(retry, visit.values, { work: visit.work }),
    askQuestion(data, visit, retries),
  );
}

function withText(text: string, outcome: StepResult): StepResult {
  return { ...outcome, texts: [text, ...(outcome.texts ?? [])] };
}

function countRetries({ memory }: StepInput): number {
  return Number(memory?.['retries'] ?? 0);
}
