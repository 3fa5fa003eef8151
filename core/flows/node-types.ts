import type { FlowNodeType } from './flow-graph.ts';
import type { NodeType } from './node-type.ts';
import { knowledgeAnswer, modelAnswer } from './nodes/answer-nodes.ts';
import { condition, set } from './nodes/logic-nodes.ts';
import { httpRequest } from './nodes/http-request.ts';
import { booking, directory, leadForm } from './nodes/directory-lead-booking.ts';
import { question } from './nodes/question.ts';
import { end, handoff, jump, message, start } from './nodes/basic-nodes.ts';

/** Definitions of all types of flow steps. */
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
