import { Type, type TSchema } from '@sinclair/typebox';
import { errorCodes, type ErrorCode } from '../../../core/errors/error-codes.ts';
import { AppError, invalidField } from '../../../core/errors/errors.ts';
import { toProblem, type Problem } from './problem.ts';

/** Builds an example of the error response with this code. */
export function problemExample(code: ErrorCode): Problem {
  const error =
    code === 'validation_error'
      ? invalidField('name', 'is required')
      : new AppError(code, `${errorCodes[code].title}.`);
  return toProblem(error, 'req_0199a1b27c3d7e4f8a5b6c7d8e9f0a1b', 'https://parley.example.com');
}

/** Builds the JSON schema of error responses. */
export function problemSchema(): TSchema {
  const text = { type: 'string' };
  return Type.Unsafe<Problem>({
    $id: 'Problem',
    description:
      'RFC 9457 problem details. `detail` is a list for validation_error, and a text for every other code.',
    type: 'object',
    required: ['type', 'title', 'status', 'instance', 'request_id', 'error', 'details', 'detail'],
    properties: {
      type: { ...text, format: 'uri', description: 'URL of a page about the code.' },
      title: { ...text, description: 'The meaning of the code, in a few words.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      instance: { ...text, description: 'Identifies this occurrence.' },
      request_id: { ...text, description: 'The X-Request-ID, for support.' },
      error: {
        type: 'object',
        description: 'The error, as code and message.',
        required: ['code', 'message'],
        properties: {
          code: {
            ...text,
            enum: Object.keys(errorCodes),
            description: 'The machine-readable error code.',
          },
          message: { ...text, description: 'A human-readable description.' },
        },
      },
      details: {
        type: 'array',
        description: 'One entry for each invalid field.',
        items: {
          type: 'object',
          required: ['field', 'in', 'code', 'message'],
          properties: {
            field: { ...text, description: 'Path of the field, as in fields[0].key.' },
            pointer: { ...text, description: 'JSON Pointer to the field, for bodies.' },
            in: {
              ...text,
              enum: ['body', 'path', 'query', 'header'],
              description: 'The part of the request that contains the field.',
            },
            code: { ...text, description: 'The rule that the field violates.' },
            message: { ...text, description: 'The problem with this field.' },
          },
        },
      },
      detail: {
        description: 'The message, or for validation_error a list of fields.',
        oneOf: [
          { ...text, description: 'The message.' },
          {
            type: 'array',
            description: 'One entry for each invalid field.',
            items: {
              type: 'object',
              required: ['loc', 'msg', 'type'],
              properties: {
                loc: {
                  type: 'array',
                  items: { type: ['string', 'integer'] },
                  description: 'The path to the field, as a list of keys and indexes.',
                },
                msg: { ...text, description: 'The problem with this field.' },
                type: { ...text, description: 'The rule that the field violates.' },
              },
            },
          },
        ],
      },
    },
  });
}
