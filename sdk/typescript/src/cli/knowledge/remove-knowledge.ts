import type { Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';

/** Removes documents one after another, and writes the id of each document once it is removed. */
export async function removeKnowledge({ client, args, isJson, json, out }: Context): Promise<void> {
  const [botId = '', ...ids] = args;
  const removed: string[] = [];
  try {
    for (const id of ids) {
      await client.knowledge.delete(botId, id);
      removed.push(id);
      if (!isJson) out(`${oneLine(`removed  ${id}`)}\n`);
    }
  } finally {
    if (isJson) json({ removed });
  }
}
