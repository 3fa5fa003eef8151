import type { FlowNodeType } from './flow-graph.ts';
import type { NodeType } from './node-type.ts';
import { knowledgeAnswer, modelAnswer } from './nodes/consult.ts';
import { condition, set } from './nodes/decide.ts';
import { httpRequest } from './nodes/http-request.ts';
import { booking, directory, leadForm } from './nodes/offer.ts';
import { question } from './nodes/question.ts';
import { end, handoff, jump, message, start } from './nodes/say.ts';

/** All kinds of steps of a flow. */
export const nodeTypes: Readonly<Record<FlowNodeType, NodeType>> = {
  start,
  message,
  question,
  condition,
  set,
  knowledge_answer: knowledgeAnswer,
  model_answer: modelAnswer,
  directory,
  lead_form: leadForm,
  booking,
  http_request: httpRequest,
  handoff,
  jump,
  end,
};
