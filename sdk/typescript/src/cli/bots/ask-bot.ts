import { writeResult, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';

/** @throws Error with the reason why the bot could not answer */
export async function askBot(context: Context): Promise<void> {
  const { client, args, isJson, out } = context;
  const [botId = '', message = ''] = args;
  for await (const event of client.bots.tryStreaming(botId, { message })) {
    if (event.event === 'delta' && !isJson) out(event.data.text);
    if (event.event !== 'done') continue;
    const { reply } = event.data;
    const sources = reply.citations.map(({ index, title }) => `\n[${index}] ${oneLine(title)}`);
    writeResult(context, reply, () => sources.join(''));
    if (reply.error) throw new Error(reply.error.message);
  }
}
