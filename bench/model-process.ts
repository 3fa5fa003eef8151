import { startModelServer } from '../test/support/model-server.ts';

/** A model that answers at once, in a process of its own. Prints its address. */
const server = await startModelServer({ answer: () => 'A day pass costs seven pounds fifty.' });
process.stdout.write(`${server.baseUrl}\n`);
