import { readFileSync } from 'node:fs';
import { toMailLines } from '../../../browser/plain-markdown.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { escapeHtml } from '../../../core/text/escape-html.ts';
import { toMarkdownHtml } from './markdown-html.ts';
import type { MailTemplate } from './mail-templates.ts';
import type { MailValues } from './mail-values.ts';
import { preventAutoLinking } from './prevent-auto-linking.ts';

/** Email template that the build compiled from MJML, with `{{value}}` as placeholders. */
export interface CompiledMail {
  subject: string;
  html: string;
  text: string;
}

const MARKDOWN = 'markdown';
const LINK = /^(link|\w+Link|url)$/;
const EMAIL_ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;
/** Maximum number of characters in an email's subject; most mail clients cut longer subjects. */
const MAX_SUBJECT_LENGTH = 80;
/**
 * Number of characters to which names in an email's subject may be shortened, but no further, even if the
 * subject becomes too long.
 */
const MIN_NAME_LENGTH = 12;
/**
 * Matches the start of an encoded word (RFC 2047) in a subject. Mail clients would decode such a text even if
 * Parley meant it as plain text.
 */
const ENCODED_WORD = /=(?=\?[^?\s]+\?[bq]\?)/gi;
/** Path of the build directory with the email templates, relative to this file or to its compiled version. */
const DIST = import.meta.url.endsWith('.ts') ? '../../../dist' : '../../..';

let compiled: Record<MailTemplate, CompiledMail> | undefined;

/** @throws Error if a value of the template is missing or the build has no templates */
export function renderMail(template: MailTemplate, values: MailValues): CompiledMail {
  const { subject, html, text } = loadTemplates()[template];
  const safeValues = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      mayContainLinks(name, value) ? value : preventAutoLinking(value),
    ]),
  );
  return {
    subject: fillSubject(subject, safeValues).replace(ENCODED_WORD, '= '),
    html: fill(html, safeValues, (value, name) =>
      name === MARKDOWN ? toMarkdownHtml(value) : escapeHtml(value).replaceAll('\n', '<br />'),
    ),
    text: fill(dropEmptyParagraphs(text, safeValues), safeValues, (value, name) =>
      name === MARKDOWN ? toMailLines(value).join('\n') : value,
    ),
  };
}

function loadTemplates(): Record<MailTemplate, CompiledMail> {
  compiled ??= JSON.parse(
    readFileSync(new URL(`${DIST}/mail-templates.json`, import.meta.url), 'utf8'),
  ) as Record<MailTemplate, CompiledMail>;
  return compiled;
}

/**
 * Returns whether mail clients may turn addresses in an email's value into links. True for links of Parley,
 * texts of the operator or the team, endpoint URLs, and a lead's address.
 */
function mayContainLinks(name: string, value: string): boolean {
  return (
    LINK.test(name) ||
    name === 'replies' ||
    name === 'ownWords' ||
    name === MARKDOWN ||
    ((name === 'contact' || name === 'email') && EMAIL_ADDRESS.test(value))
  );
}

/**
 * Removes paragraphs of an email whose only value is empty, because the text version would show an empty
 * line.
 */
function dropEmptyParagraphs(text: string, values: MailValues): string {
  return text.replace(/^\{\{(\w+)\}\}\n\n/gm, (part, name: string) => (values[name] === '' ? '' : part));
}

function fill(text: string, values: MailValues, write: (value: string, name: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The email has no value "${name}".`);
    return write(value, name);
  });
}

/**
 * Fills the values into an email's subject, and shortens the names in a subject that is too long. Characters
 * that a short name does not need go to the longer names.
 */
function fillSubject(subject: string, values: MailValues): string {
  const words = subject.replace(/\{\{\w+\}\}/g, '');
  const names = [...subject.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => values[name!] ?? '');
  // A subject that is only one value needs no shortening.
  if (words === '') return fill(subject, values, (value) => value);
  let remainingLength = MAX_SUBJECT_LENGTH - words.length;
  let share = remainingLength;
  for (const [index, { length }] of names.toSorted((a, b) => a.length - b.length).entries()) {
    share = Math.floor(remainingLength / (names.length - index));
    if (length > share) break;
    remainingLength -= length;
  }
  return fill(subject, values, (value) => shorten(value, Math.max(share, MIN_NAME_LENGTH)));
}

/**
 * Composes an email's subject that contains a name, and shortens the name if the subject is too long.
 * @param make returns the subject with the given name
 */
export function composeSubject(make: (name: string) => string, name: string): string {
  return make(shorten(name, MAX_SUBJECT_LENGTH - make('').length));
}

function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength - 1).trimEnd()}…` : text;
}
