import { readFileSync } from 'node:fs';
import { plainLines } from '../../../browser/plain-markdown.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { escapeHtml } from '../../../core/text/escape-html.ts';
import { markdownHtml } from './markdown-html.ts';
import type { MailTemplate } from './mail-templates.ts';
import type { MailValues } from './mail-values.ts';
import { unlinked } from './unlinked.ts';

/** A template as the build made it of MJML, with `{{value}}` where values belong. */
export interface CompiledMail {
  subject: string;
  html: string;
  text: string;
}

const MARKDOWN = 'markdown';
const LINK = /^(link|\w+Link|url)$/;
const EMAIL_ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;
/** Mail programs show hardly more of it. */
const LONGEST_SUBJECT = 80;
/** However much else a subject says. */
const SHORTEST_NAME = 12;
/** The beginning of what mail programs decode (RFC 2047), which is ASCII and so goes out as it is. */
const ENCODED_WORD = /=(?=\?[^?\s]+\?[bq]\?)/gi;
/** From here, where this is compiled or run from its source. */
const DIST = import.meta.url.endsWith('.ts') ? '../../../dist' : '../../..';

let compiled: Record<MailTemplate, CompiledMail> | undefined;

/** @throws Error when a value is missing, or the build has no templates */
export function renderMail(template: MailTemplate, values: MailValues): CompiledMail {
  const { subject, html, text } = templates()[template];
  const said = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, mayBeLinked(name, value) ? value : unlinked(value)]),
  );
  return {
    subject: fillSubject(subject, said).replace(ENCODED_WORD, '= '),
    html: fill(html, said, (value, name) =>
      name === MARKDOWN ? markdownHtml(value) : escapeHtml(value).replaceAll('\n', '<br />'),
    ),
    text: fill(withoutEmptyParts(text, said), said, (value, name) =>
      name === MARKDOWN ? plainLines(value).join('\n') : value,
    ),
  };
}

function templates(): Record<MailTemplate, CompiledMail> {
  compiled ??= JSON.parse(
    readFileSync(new URL(`${DIST}/mail-templates.json`, import.meta.url), 'utf8'),
  ) as Record<MailTemplate, CompiledMail>;
  return compiled;
}

/** Links of our own, what the operator writes, those that the team has written to a visitor or attendee, the addresses of endpoints, which admins have set, and that of a lead, to whom people want to write. */
function mayBeLinked(name: string, value: string): boolean {
  return (
    LINK.test(name) ||
    name === 'replies' ||
    name === 'ownWords' ||
    name === MARKDOWN ||
    ((name === 'contact' || name === 'email') && EMAIL_ADDRESS.test(value))
  );
}

/** Without paragraphs of nothing, which only a text would show. */
function withoutEmptyParts(text: string, values: MailValues): string {
  return text.replace(/^\{\{(\w+)\}\}\n\n/gm, (part, name: string) => (values[name] === '' ? '' : part));
}

function fill(text: string, values: MailValues, write: (value: string, name: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The mail has no value "${name}".`);
    return write(value, name);
  });
}

/** What a subject says is kept whole, and the names in it are shortened: each gets what those that are shorter leave. */
function fillSubject(subject: string, values: MailValues): string {
  const words = subject.replace(/\{\{\w+\}\}/g, '');
  const names = [...subject.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => values[name!] ?? '');
  // One that comes whole was made to fit.
  if (words === '') return fill(subject, values, (value) => value);
  let room = LONGEST_SUBJECT - words.length;
  let share = room;
  for (const [index, { length }] of names.toSorted((a, b) => a.length - b.length).entries()) {
    share = Math.floor(room / (names.length - index));
    if (length > share) break;
    room -= length;
  }
  return fill(subject, values, (value) => shorten(value, Math.max(share, SHORTEST_NAME)));
}

/** A subject that is made with a name. @param make given the name */
export function subjectWith(make: (name: string) => string, name: string): string {
  return make(shorten(name, LONGEST_SUBJECT - make('').length));
}

function shorten(text: string, longest: number): string {
  return text.length > longest ? `${cutText(text, longest - 1).trimEnd()}…` : text;
}
