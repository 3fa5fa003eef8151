import { readFileSync } from 'node:fs';
import { cutText } from '../../core/text/cut-text.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import type { MailTemplate } from './mail-templates.ts';
import type { MailValues } from './mail-values.ts';
import { unlinked } from './unlinked.ts';

/** A template as the build made it of MJML, with `{{value}}` where values belong. */
export interface CompiledMail {
  subject: string;
  html: string;
  text: string;
}

const LINK = /^(link|\w+Link|url)$/;
const EMAIL_ADDRESS = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;
const LONGEST_IN_SUBJECT = 80;
/** The beginning of what mail programs decode (RFC 2047), which is ASCII and so goes out as it is. */
const ENCODED_WORD = /=(?=\?[^?\s]+\?[bq]\?)/gi;
/** From here, where this is compiled or run from its source. */
const DIST = import.meta.url.endsWith('.ts') ? '../../dist' : '../..';

let compiled: Record<MailTemplate, CompiledMail> | undefined;

/** @throws Error when a value is missing, or the build has no templates */
export function renderMail(template: MailTemplate, values: MailValues): CompiledMail {
  const { subject, html, text } = templates()[template];
  const said = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, mayBeLinked(name, value) ? value : unlinked(value)]),
  );
  return {
    subject: fill(subject, said, inSubject).replace(ENCODED_WORD, '= '),
    html: fill(html, said, (value) => escapeHtml(value).replaceAll('\n', '<br />')),
    text: fill(text, said, (value) => value),
  };
}

function templates(): Record<MailTemplate, CompiledMail> {
  compiled ??= JSON.parse(
    readFileSync(new URL(`${DIST}/mail-templates.json`, import.meta.url), 'utf8'),
  ) as Record<MailTemplate, CompiledMail>;
  return compiled;
}

/** Links of our own, those that the team has written to a visitor, the addresses of endpoints, which admins have set, and that of a lead, to whom people want to write. */
function mayBeLinked(name: string, value: string): boolean {
  return LINK.test(name) || name === 'replies' || (name === 'contact' && EMAIL_ADDRESS.test(value));
}

function fill(text: string, values: MailValues, write: (value: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The mail has no value "${name}".`);
    return write(value);
  });
}

function inSubject(value: string): string {
  return value.length > LONGEST_IN_SUBJECT ? `${cutText(value, LONGEST_IN_SUBJECT - 1)}…` : value;
}
