import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DocumentRead } from '../api/knowledge/knowledge.schemas.ts';
import { projectRoot } from '../scripts/launcher/project-root.ts';
import { LocalServer } from './local-server.ts';
import type { ParleyClient } from './parley-client.ts';

const folder = new URL('demo/documents/', projectRoot());

const readDocument = (name: string) => readFile(new URL(name, folder));

/**
 * A document or website that the demo adds to a bot's knowledge. `addedAs` describes, in the demo's output,
 * how it is added.
 */
export interface Source {
  name: string;
  addedAs: string;
  /** Adds the source to the knowledge of a bot at the API path `path`. */
  add(parley: ParleyClient, path: string): Promise<DocumentRead>;
}

export interface Question {
  text: string;
  /** Pattern that every correct answer to the question matches. */
  expected: RegExp;
  /** Name of the document or website that contains the answer. */
  source: string;
}

/**
 * Returns the demo's four documents and websites.
 * @param site URL of the site with the page about the stations
 */
export function createSources(site: string): Source[] {
  return [
    createFileSource('rider-handbook.pdf', 'PDF, uploaded', 'application/pdf'),
    createFileSource(
      'prices-and-memberships.docx',
      'DOCX, uploaded',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ),
    {
      name: 'refunds-and-damage.md',
      addedAs: 'Markdown, as text',
      add: async (parley, path) =>
        parley.call('POST', path, {
          source_type: 'raw_text',
          raw_text: (await readDocument('refunds-and-damage.md')).toString('utf8'),
          title: 'Refunds and damage',
          tags: ['money'],
        }),
    },
    {
      name: 'stations.html',
      addedAs: 'web page, by its URL',
      add: (parley, path) => parley.call('POST', path, { source_type: 'url', url: `${site}/stations` }),
    },
  ];
}

function createFileSource(name: string, addedAs: string, type: string): Source {
  return {
    name,
    addedAs,
    add: async (parley, path) =>
      parley.upload(
        `${path}/upload`,
        new File([new Uint8Array(await readDocument(name))], basename(name), { type }),
      ),
  };
}

/** Serves the website of the demo's bicycle service, which has one page. */
export async function startSite(): Promise<LocalServer> {
  const page = await readDocument('stations.html');
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

/** A question that the documents do not answer. */
export const unansweredQuestion = 'Do you sell gift vouchers?';
