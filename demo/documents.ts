import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DocumentRead } from '../api/knowledge/knowledge.schemas.ts';
import { projectRoot } from '../scripts/launcher/project-root.ts';
import { LocalServer } from './local-server.ts';
import type { ParleyClient } from './parley-client.ts';

const folder = new URL('demo/documents/', projectRoot());

const read = (name: string) => readFile(new URL(name, folder));

/** One of the demo's sources, and the way in that it takes. */
export interface Source {
  name: string;
  way: string;
  /** Registers it with the bot whose knowledge is at `path`. */
  add(parley: ParleyClient, path: string): Promise<DocumentRead>;
}

export interface Question {
  text: string;
  /** What any right answer contains. */
  expected: RegExp;
  /** Name of the source that says it. */
  source: string;
}

/** The four sources. @param site where the web page of the stations is */
export function sourcesWith(site: string): Source[] {
  return [
    fileSource('rider-handbook.pdf', 'PDF, uploaded', 'application/pdf'),
    fileSource(
      'prices-and-memberships.docx',
      'DOCX, uploaded',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ),
    {
      name: 'refunds-and-damage.md',
      way: 'Markdown, as text',
      add: async (parley, path) =>
        parley.call('POST', path, {
          source_type: 'raw_text',
          raw_text: (await read('refunds-and-damage.md')).toString('utf8'),
          title: 'Refunds and damage',
          tags: ['money'],
        }),
    },
    {
      name: 'stations.html',
      way: 'web page, by its URL',
      add: (parley, path) => parley.call('POST', path, { source_type: 'url', url: `${site}/stations` }),
    },
  ];
}

function fileSource(name: string, way: string, type: string): Source {
  return {
    name,
    way,
    add: async (parley, path) =>
      parley.upload(`${path}/upload`, new File([new Uint8Array(await read(name))], basename(name), { type })),
  };
}

/** The bicycle service's web site: one page. */
export async function startSite(): Promise<LocalServer> {
  const page = await read('stations.html');
  return LocalServer.start((request, response) => {
    if (request.url === '/stations') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else response.writeHead(404).end();
  });
}

export const questions: Question[] = [
  {
    text: 'What does error code M22 on the display mean?',
    expected: /too hot|overheat/i,
    source: 'rider-handbook.pdf',
  },
  {
    text: 'How much deposit is blocked when I hire a cargo bike?',
    expected: /£\s?120/,
    source: 'prices-and-memberships.docx',
  },
  {
    text: 'When is the Fish Market station closed?',
    expected: /Wednesday and Saturday/i,
    source: 'stations.html',
  },
];

export const searchQuery = 'excess for a damaged electric bike';

/** Nothing in the documents answers it. */
export const unansweredQuestion = 'Do you sell gift vouchers?';
