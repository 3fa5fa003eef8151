import { startModelServer } from '../test/support/model-server.ts';

/** A stand-in for a language model in a separate process that answers at once with its argument. Prints its URL. */
const answer = process.argv[2] ?? 'A day pass costs seven pounds fifty.';
const server = await startModelServer({ answer: () => answer });
process.stdout.write(`${server.baseUrl}\n`);
