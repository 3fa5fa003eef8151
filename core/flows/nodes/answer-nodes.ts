import { Type, type Static } from '@sinclair/typebox';
import { cutText } from '../../text/cut-text.ts';
import { SingleLine } from '../../text/single-line-schema.ts';
import { OUT, runBounds } from '../flow-graph.ts';
import { leaveStep, defineNodeType } from '../node-type.ts';
import { renderPlainText } from '../templates.ts';
import { renderValueText } from '../value-text.ts';
import { Data, Line, MAX_TEXT, VisitorText, templateAt, Variable } from './node-schemas.ts';

const MAX_TAGS = 20;

const KnowledgeData = Data({
  query: Type.Optional(Line),
  tags: Type.Optional(
    Type.Array(SingleLine({ minLength: 1, maxLength: 100 }), { maxItems: MAX_TAGS, uniqueItems: true }),
  ),
});

/** Flow step that answers the visitor from the bot's documents. */
export const knowledgeAnswer = defineNodeType<Static<typeof KnowledgeData>>({
  type: 'knowledge_answer',
  schema: KnowledgeData,
  ports: () => [OUT, 'not_found'],
  listRequiredPorts: () => [[OUT], ['not_found']],
  templates: ({ query }) => templateAt(query, 'query'),
  step: ({ query = '{{last_message}}', tags = [] }, { event, values, work }) => {
    if (event.kind === 'done')
      return event.port === OUT
        ? { texts: [renderValueText(event.body, runBounds.insertedLength)], move: leaveStep(OUT) }
        : { move: leaveStep('not_found') };
    const queryText = cutText(renderPlainText(query, values, { maxLength: MAX_TEXT, work }).trim(), MAX_TEXT);
    if (queryText === '') return { move: leaveStep('not_found'), note: 'There was nothing to search for.' };
    return { move: { kind: 'perform', effect: { kind: 'answer', query: queryText, tags } } };
  },
});

/** Maximum number of characters that inserted values may add to the instructions of a model step. */
const MAX_INSTRUCTIONS = 8000;

const ModelData = Data({ instructions: VisitorText, save_as: Type.Optional(Variable) });

/**
 * Flow step in which the bot's model writes a text. The text is sent to the visitor or stored in a variable.
 */
export const modelAnswer = defineNodeType<Static<typeof ModelData>>({
  type: 'model_answer',
  schema: ModelData,
  ports: () => [OUT, 'error'],
  listRequiredPorts: () => [[OUT], ['error']],
  templates: ({ instructions }) => templateAt(instructions, 'instructions'),
  listRequiredTexts: ({ instructions }) => templateAt(instructions, 'instructions'),
  step: ({ instructions: template, save_as: variable }, { event, values, work }) => {
    if (event.kind !== 'done') {
      const instructions = renderPlainText(template, values, { maxLength: MAX_INSTRUCTIONS, work });
      return { move: { kind: 'perform', effect: { kind: 'ask_model', instructions } } };
    }
    if (event.port !== OUT) return { move: leaveStep('error') };
    const text = renderValueText(event.body, runBounds.insertedLength);
    return variable === undefined
      ? { texts: [text], move: leaveStep(OUT) }
      : { changes: { [variable]: cutText(text, runBounds.variableLength) }, move: leaveStep(OUT) };
  },
});
