import { basename } from 'node:path';
import type { DocumentRead } from '../../generated/models.ts';
import { writeResult, UsageError, type Context } from '../command.ts';
import { readBytes } from '../files.ts';
import { parseCount } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { formatProgress } from './progress-text.ts';
import { waitForIndexing } from './wait-for-indexing.ts';

interface Values {
  title?: string;
  site?: boolean;
  'max-pages'?: string;
  wait?: boolean;
}

export async function addKnowledge(context: Context): Promise<void> {
  const { args, values } = context;
  const [botId = ''] = args;
  const added = await addDocument(context);
  const document = values['wait'] === true ? await waitForIndexing(context, botId, added.id) : added;
  writeResult(context, document, () => oneLine(document.id));
}

export async function showStatus(context: Context): Promise<void> {
  const { client, args, values } = context;
  const [botId = '', documentId = ''] = args;
  if (values['wait'] === true) await waitForIndexing(context, botId, documentId);
  const status = await client.knowledge.getStatus(botId, documentId);
  writeResult(context, status, () =>
    [formatProgress(status), ...(status.error_message === null ? [] : [status.error_message])]
      .map(oneLine)
      .join('\n'),
  );
}

function addDocument({ client, args, values }: Context): Promise<DocumentRead> {
  const [botId = '', what = ''] = args;
  const { title, site = false, 'max-pages': pages } = values as Values;
  const named = title === undefined ? {} : { title };
  if (!site && pages !== undefined) throw new UsageError('--max-pages is for --site.');
  if (/^https?:\/\//.test(what))
    return client.knowledge.create(botId, {
      source_type: site ? 'sitemap' : 'url',
      url: what,
      ...named,
      ...(pages !== undefined && { max_pages: parseCount('--max-pages', pages) }),
    });
  if (site) throw new UsageError('--site takes the address of a website, https://…');
  const file = { name: basename(what), content: readBytes(what) };
  return client.knowledge.upload(botId, file, named);
}
