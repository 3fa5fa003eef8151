import type { FlowGraph, FlowNode } from '../../core/flows/flow-graph.ts';
import type { RequestData, RequestHeader } from '../../core/flows/nodes/http-request.ts';
import { fingerprintAssignments, readNames, type TemplateBot } from './assigned-values.ts';

/**
 * A step of a flow by which words of a conversation may leave the workspace: an HTTP request, or an email
 * address or phone number that becomes the visitor's. The team's replies are then sent to it.
 */
export interface FlowExposure {
  kind: 'request' | 'email' | 'phone';
  /** Template of the request's URL, or of the email address or phone number. */
  target: string;
  /** Digest of the step. Steps that send the same content to the same target have equal digests. */
  fingerprint: string;
}

interface ExposingStep {
  kind: FlowExposure['kind'];
  target: string;
  parts: unknown[];
  /** Names of the values on which the step depends, as `readNames` returns them. */
  names: string[];
}

/**
 * Lists the steps of flows that may expose conversations. The fingerprint of a request covers path, headers and
 * body, since one server may host many accounts. Fingerprints also cover all assignments on which the values of
 * a step depend. A secret counts as changed whenever it is encrypted again.
 * @param bot the bot that runs the flows
 */
export function collectExposures(graphs: readonly FlowGraph[], bot: TemplateBot): FlowExposure[] {
  const steps = graphs.flatMap(({ nodes }) => nodes.flatMap(listExposingSteps));
  const names = new Set(steps.flatMap((step) => step.names));
  const assigned = fingerprintAssignments(graphs, [...names], bot);
  return steps.map(({ kind, target, parts, names: own }) => ({
    kind,
    target,
    fingerprint: JSON.stringify(own.length === 0 ? parts : [...parts, assigned]),
  }));
}

/** Returns the steps of flows that are new, or whose target or content has changed. */
export function findNewExposures(
  previous: readonly FlowExposure[],
  now: readonly FlowExposure[],
): FlowExposure[] {
  const previousFingerprints = new Set(previous.map(({ fingerprint }) => fingerprint));
  return now.filter(({ fingerprint }) => !previousFingerprints.has(fingerprint));
}

function listExposingSteps({ type, data }: FlowNode): ExposingStep[] {
  if (type === 'http_request') return [toRequestStep(data as RequestData)];
  if (type !== 'set' || data['to_contact'] !== true) return [];
  return (data['assignments'] as { variable: string; value?: string | number | boolean }[]).flatMap(
    ({ variable, value }) => {
      if ((variable !== 'email' && variable !== 'phone') || value === undefined) return [];
      const target = String(value);
      return [{ kind: variable, target, parts: [variable, target], names: readNames(target) }];
    },
  );
}

function toRequestStep({ url, headers = [], body = '' }: RequestData): ExposingStep {
  const headerTexts = (headers as RequestHeader[])
    .map(({ name, value = null, sealed = '' }) => JSON.stringify([name.toLowerCase(), value, sealed]))
    .toSorted();
  const templates = [url, body, ...headers.map(({ value }) => value ?? '')];
  return {
    kind: 'request',
    target: url,
    parts: [url, headerTexts, body],
    names: templates.flatMap(readNames),
  };
}
