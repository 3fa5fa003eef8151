import { startModelServer } from '../test/support/model-server.ts';

/** A model that answers at once with the words of its argument, in a process of its own. Prints its address. */
const answer = process.argv[2] ?? 'A day pass costs seven pounds fifty.';
const server = await startModelServer({ answer: () => answer });
process.stdout.write(`${server.baseUrl}\n`);
