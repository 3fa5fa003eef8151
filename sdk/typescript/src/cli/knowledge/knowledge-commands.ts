import type { Command, CommandOptions } from '../command.ts';
import { ONE_ARGUMENT } from '../argument-counts.ts';
import { addKnowledge } from './add-knowledge.ts';
import { listKnowledge } from './list-knowledge.ts';
import { removeKnowledge } from './remove-knowledge.ts';
import { showStatus } from './show-status.ts';
import { syncKnowledge } from './sync-knowledge.ts';

const waiting: CommandOptions = {
  wait: { type: 'boolean', about: 'Wait until the documents are indexed, and show the progress.' },
  timeout: {
    type: 'string',
    value: '<seconds>',
    default: '600',
    about: 'How long to wait; 600 seconds by default.',
  },
};
const encoding: CommandOptions = {
  encoding: {
    type: 'string',
    value: '<encoding>',
    about: 'Character encoding of the text, such as windows-1251; detected by default.',
  },
};
const SEVERAL = { min: 2, max: Infinity };

export const knowledgeCommands: readonly Command[] = [
  {
    name: 'knowledge add',
    args: '<bot_id> <file | folder | address>…',
    about:
      'Add files, folders, web pages or, with --site, websites to the knowledge of a bot. Hidden files and links in folders are skipped.',
    options: {
      title: { type: 'string', value: '<title>', about: 'Title of the document.' },
      site: { type: 'boolean', about: 'Add all pages of the website at the address.' },
      'max-pages': { type: 'string', value: '<number>', about: 'Maximum number of pages of a website.' },
      ...encoding,
      ...waiting,
    },
    argumentCount: SEVERAL,
    run: addKnowledge,
  },
  {
    name: 'knowledge sync',
    args: '<bot_id> <folder>',
    about:
      'Sync documents of a bot with a folder: add new files, replace changed files, and remove files that no longer exist. Other documents stay.',
    options: {
      name: {
        type: 'string',
        value: '<name>',
        about: 'Name of the set of documents; the name and path of the folder by default.',
      },
      force: { type: 'boolean', about: 'Also remove the documents if none of the files exists anymore.' },
      ...encoding,
      ...waiting,
    },
    argumentCount: { min: 2, max: 2 },
    run: syncKnowledge,
  },
  {
    name: 'knowledge remove',
    args: '<bot_id> <document_id>…',
    about: 'Remove documents from the knowledge of a bot.',
    argumentCount: SEVERAL,
    run: removeKnowledge,
  },
  {
    name: 'knowledge status',
    args: '<bot_id> <document_id>',
    about: 'Show the progress of a document.',
    options: waiting,
    argumentCount: { min: 2, max: 2 },
    run: showStatus,
  },
  {
    name: 'knowledge list',
    args: '<bot_id>',
    about: 'List the documents of a bot with status, title and external id.',
    argumentCount: ONE_ARGUMENT,
    run: listKnowledge,
  },
];
