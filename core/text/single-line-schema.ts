import { Type, type StringOptions } from '@sinclair/typebox';
import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { describeLineFault } from './single-line.ts';

/** Keyword of a JSON Schema that requires a text to be one line without control characters. */
export const SINGLE_LINE_KEYWORD = 'x-single-line';

/**
 * Declares a name, title or label in a request: one line without control characters. If `minLength` is at
 * least 1, the text must contain visible characters.
 */
export const SingleLine = (options: StringOptions & { maxLength: number }) =>
  Type.String({ ...options, [SINGLE_LINE_KEYWORD]: true });

const validate: SchemaValidateFunction = (_isLine, text: string, schema) => {
  const { minLength = 0 } = (schema ?? {}) as { minLength?: number };
  const message = describeLineFault(text, { mayBeBlank: minLength === 0 || text === '' });
  validate.errors = message === null ? [] : [{ keyword: SINGLE_LINE_KEYWORD, message, params: {} }];
  return message === null;
};

/** Definition of the single-line keyword for the validator Ajv. */
export const singleLineKeyword: FuncKeywordDefinition = {
  keyword: SINGLE_LINE_KEYWORD,
  type: 'string',
  schemaType: 'boolean',
  validate,
};
