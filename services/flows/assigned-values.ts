import { createHash } from 'node:crypto';
import type { FlowGraph, FlowNode } from '../../core/flows/flow-graph.ts';
import type { RequestData } from '../../core/flows/nodes/http-request.ts';
import { nodeTypes } from '../../core/flows/node-types.ts';
import { listPlaceholders } from '../../core/flows/templates.ts';
import { groupItems } from '../../core/group-items.ts';

/** A value that a flow's node sets and that templates can read. */
interface Assignment {
  /** Names of the values that the node sets, as `readNames` returns them. */
  names: string[];
  /** Names of the values from which the assigned value is computed. */
  read: string[];
  /** Text that describes the assignment. Equal assignments have equal texts. */
  text: string;
}

type UnknownRecord = Record<string, unknown>;

/** Settings of a bot that templates can read. */
export interface TemplateBot {
  name: string;
  language: string;
}

/**
 * Computes a digest of all assignments on which a template's values depend, directly or through other values.
 * The order of the flow's nodes does not matter.
 * @param names names of values in the template, as `readNames` returns them
 * @param bot the bot that runs the flows
 */
export function fingerprintAssignments(
  graphs: readonly FlowGraph[],
  names: readonly string[],
  { name, language }: TemplateBot,
): string {
  const nodes = graphs.flatMap((graph) => graph.nodes.map(listAssignments));
  const assignmentsByName = nodes
    .flat()
    .flatMap((assignment) => assignment.names.map((name) => ({ name, assignment })));
  const assignmentsOfNames = new Map(groupItems(assignmentsByName, ({ name }) => name));
  const usedAssignments = new Set<Assignment>();
  const namesToVisit = new Set(names);
  // The loop body adds names to the set; the loop then visits these names as well.
  for (const name of namesToVisit) {
    for (const { assignment } of assignmentsOfNames.get(name) ?? []) {
      usedAssignments.add(assignment);
      for (const each of assignment.read) namesToVisit.add(each);
    }
  }
  const texts = nodes.map((each) =>
    JSON.stringify(each.filter((assignment) => usedAssignments.has(assignment)).map(({ text }) => text)),
  );
  const botTexts = namesToVisit.has('bot') ? [name, language] : [];
  const all = JSON.stringify([...botTexts, ...texts.filter((text) => text !== '[]').toSorted()]);
  return createHash('sha256').update(all).digest('base64');
}

/**
 * Returns the names of the values that a template reads: `vars.<name>` for a variable, and the first segment
 * of the path for other values.
 */
export function readNames(template: string): string[] {
  return listPlaceholders(template).map(({ path }) => {
    const [root = '', key = ''] = path.split('.');
    return root === 'vars' ? variableName(key) : root;
  });
}

function variableName(variable: unknown): string {
  return `vars.${String(variable)}`;
}

function listAssignments({ type, data }: FlowNode): Assignment[] {
  const readTemplateNames = () =>
    nodeTypes[type].templates(data as never).flatMap(({ text }) => readNames(text));
  const assign = (variables: unknown[], content: unknown, others: string[] = []): Assignment[] => {
    const names = [...variables.filter((each) => each !== undefined).map(variableName), ...others];
    return names.length === 0
      ? []
      : [{ names, read: readTemplateNames(), text: JSON.stringify([type, content]) }];
  };
  switch (type) {
    case 'set':
      return (data['assignments'] as UnknownRecord[]).map(({ variable, op, value }) => ({
        names: [variableName(variable), ...(data['to_contact'] === true ? ['contact'] : [])],
        read: typeof value === 'string' ? readNames(value) : [],
        text: JSON.stringify([variable, op, value, data['to_contact'] === true]),
      }));
    case 'question': {
      const { variable, input, options, on_other: onOther } = data;
      return assign([variable], [variable, input, options, onOther]);
    }
    case 'model_answer':
      return assign([data['save_as']], [data['save_as'], data['instructions']]);
    case 'http_request': {
      const { method, url, headers, body, save = [] } = data as RequestData;
      const saved = save.map(({ variable }) => variable);
      return assign(saved, [method, url, headers, body, save], ['http']);
    }
    case 'booking':
      return assign(['booking_time', 'booking_start', 'booking_end', 'booking_timezone'], null);
    case 'lead_form':
      return assign([], null, ['contact']);
    case 'start':
    case 'message':
    case 'condition':
    case 'knowledge_answer':
    case 'directory':
    case 'handoff':
    case 'jump':
    case 'end':
      return [];
  }
}
