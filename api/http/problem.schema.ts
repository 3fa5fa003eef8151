import { Type, type TSchema } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../core/error-codes.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { problemOf, type Problem } from './problem.ts';

/** An answer with the code, as a caller may see it. */
export function problemExample(code: ErrorCode): Problem {
  const error =
    code === 'validation_error'
      ? invalidField('name', 'is required')
      : new AppError(code, `${errorCodes[code].title}.`);
  return problemOf(error, 'req_0199a1b27c3d7e4f8a5b6c7d8e9f0a1b', 'https://parley.example.com');
}

/** The schema of every answer that is an error. */
export function problemSchema(): TSchema {
  const text = { type: 'string' };
  return Type.Unsafe<Problem>({
    $id: 'Problem',
    description:
      'RFC 9457 problem details. `detail` is a list for validation_error, a text for every other code.',
    type: 'object',
    required: ['type', 'title', 'status', 'instance', 'request_id', 'error', 'details', 'detail'],
    properties: {
      type: { ...text, format: 'uri', description: 'Resolves to a page about the code.' },
      title: text,
      status: { type: 'integer' },
      instance: text,
      request_id: text,
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { ...text, enum: Object.keys(errorCodes) }, message: text },
      },
      details: {
        type: 'array',
        items: {
          type: 'object',
          required: ['field', 'in', 'code', 'message'],
          properties: {
            field: text,
            pointer: text,
            in: { ...text, enum: ['body', 'path', 'query', 'header'] },
            code: text,
            message: text,
          },
        },
      },
      detail: {
        oneOf: [
          text,
          {
            type: 'array',
            items: {
              type: 'object',
              required: ['loc', 'msg', 'type'],
              properties: {
                loc: { type: 'array', items: { type: ['string', 'integer'] } },
                msg: text,
                type: text,
              },
            },
          },
        ],
      },
    },
  });
}
