import type { Command } from '../command.ts';
import { callOperation } from './call-operation.ts';
import { listOperations } from './list-operations.ts';

export const apiCommand: Command = {
  name: 'api',
  args: '<operation> [<path value>…]',
  about:
    'Call any operation by its id, such as listBots. The response is written as it arrives; --output writes it unchanged to a file.',
  options: {
    list: {
      type: 'boolean',
      about: 'List all operations, or those whose id, path or summary contains the given words.',
    },
    query: {
      type: 'string',
      value: '<name=value>',
      multiple: true,
      about: 'A query parameter.',
    },
    body: {
      type: 'string',
      value: '<json | @file | ->',
      about: 'The body as JSON: inline, from a file, or from stdin.',
    },
    file: { type: 'string', value: '<file>', about: 'A file to upload; --body contains the other fields.' },
    'visitor-token': {
      type: 'string',
      value: '<token>',
      about: 'The visitor_token of a session, for operations of visitors.',
    },
    output: { type: 'string', value: '<file>', about: 'Write the response to this file.' },
  },
  argumentCount: { min: 0, max: 5 },
  run: async (context) =>
    context.values['list'] === true ? listOperations(context) : callOperation(context),
};
