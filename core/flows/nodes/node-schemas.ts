import { Type, type TProperties } from '@sinclair/typebox';
import { NODE_ID, VARIABLE } from '../flow-graph.ts';

export const MAX_TEXT = 4000;
const MAX_LINE = 1000;

export const Data = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
/** Schema of a flow's text for visitors, which may contain placeholders. */
export const VisitorText = Type.String({ maxLength: MAX_TEXT });
export const Line = Type.String({ maxLength: MAX_LINE });
export const Name = Type.String({ pattern: NODE_ID, examples: ['ask'] });
export const Variable = Type.String({ pattern: VARIABLE, examples: ['city'] });

/** Schema of a string that must be one of the given words. */
export const OneWord = <const V extends readonly string[]>(words: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...words] });

/** Lists a template with its path in a step's data; an empty list if the text is absent. */
export function templateAt(text: string | undefined, ...path: (string | number)[]) {
  return text === undefined ? [] : [{ path, text }];
}
