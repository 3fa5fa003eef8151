import { Type, type Static } from '@sinclair/typebox';
import { OUT } from '../flow-graph.ts';
import { leaveStep, defineNodeType } from '../node-type.ts';
import { renderMarkdown, renderPlainText } from '../templates.ts';
import { Data, Line, Name, VisitorText, templateAt } from './node-schemas.ts';

const StartData = Data({});

/** Flow step with which every run begins. */
export const start = defineNodeType<Static<typeof StartData>>({
  type: 'start',
  schema: StartData,
  ports: () => [OUT],
  listRequiredPorts: () => [[OUT]],
  templates: () => [],
  step: () => ({ move: leaveStep(OUT) }),
});

const MessageData = Data({ text: VisitorText });

/** Flow step that sends a text to the visitor. */
export const message = defineNodeType<Static<typeof MessageData>>({
  type: 'message',
  schema: MessageData,
  ports: () => [OUT],
  listRequiredPorts: () => [[OUT]],
  templates: ({ text }) => templateAt(text, 'text'),
  listRequiredTexts: ({ text }) => templateAt(text, 'text'),
  step: ({ text }, { values, work }) => ({
    texts: [renderMarkdown(text, values, { work })],
    move: leaveStep(OUT),
  }),
});

const EndData = Data({ message: Type.Optional(VisitorText) });

/** Flow step that ends the run. */
export const end = defineNodeType<Static<typeof EndData>>({
  type: 'end',
  schema: EndData,
  ports: () => [],
  listRequiredPorts: () => [],
  templates: ({ message: text }) => templateAt(text, 'message'),
  step: ({ message: text = '' }, { values, work }) => ({
    texts: [renderMarkdown(text, values, { work })],
    move: { kind: 'end' },
  }),
});

const JumpData = Data({
  node: Type.Optional(Name),
  flow_id: Type.Optional(Type.String({ format: 'uuid' })),
});

/** Flow step that continues at another step, or at the start of another flow of the bot. */
export const jump = defineNodeType<Static<typeof JumpData>>({
  type: 'jump',
  schema: JumpData,
  ports: () => [],
  listRequiredPorts: () => [],
  templates: () => [],
  faults: ({ node, flow_id: flowId }) =>
    (node === undefined) === (flowId === undefined)
      ? [{ path: ['node'], message: 'or flow_id is required, but not both' }]
      : [],
  step: ({ node, flow_id: flowId }) => ({
    move: node === undefined ? { kind: 'change_flow', flowId: flowId! } : { kind: 'jump', node },
  }),
});

/** Maximum number of characters in the reason of a request for an agent, which is stored up to this length. */
const MAX_REASON = 1000;

const HandoffData = Data({ reason: Type.Optional(Line), message: Type.Optional(VisitorText) });

/**
 * Flow step that requests an agent. The flow's run ends if an agent is available, and otherwise leaves the
 * step by the port `unavailable`.
 */
export const handoff = defineNodeType<Static<typeof HandoffData>>({
  type: 'handoff',
  schema: HandoffData,
  ports: () => ['unavailable'],
  listRequiredPorts: () => [],
  templates: ({ reason, message: text }) => [...templateAt(reason, 'reason'), ...templateAt(text, 'message')],
  need: 'handoff',
  step: ({ reason: template = '', message: text = '' }, { event, values, work }) => {
    if (event.kind !== 'done') {
      const reason = renderPlainText(template, values, { maxLength: MAX_REASON, work });
      return { move: { kind: 'perform', effect: { kind: 'hand_over', reason } } };
    }
    if (event.port === 'unavailable') return { move: leaveStep('unavailable') };
    return { texts: [renderMarkdown(text, values, { work })], move: { kind: 'handed_over' } };
  },
});
