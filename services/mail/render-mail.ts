import { readFileSync } from 'node:fs';
import { escapeHtml } from '../../core/escape-html.ts';
import type { MailTemplate } from './mail-templates.ts';
import type { MailValues } from './mail-values.ts';

/** A template as the build made it of MJML, with `{{value}}` where values belong. */
export interface CompiledMail {
  subject: string;
  html: string;
  text: string;
}

const LONGEST_IN_SUBJECT = 80;
/** The beginning of what mail programs decode (RFC 2047), which is ASCII and so goes out as it is. */
const ENCODED_WORD = /=(?=\?[^?\s]+\?[bq]\?)/gi;
/** From here, where this is compiled or run from its source. */
const DIST = import.meta.url.endsWith('.ts') ? '../../dist' : '../..';

let compiled: Record<MailTemplate, CompiledMail> | undefined;

/** @throws Error when a value is missing, or the build has no templates */
export function renderMail(template: MailTemplate, values: MailValues): CompiledMail {
  const { subject, html, text } = templates()[template];
  return {
    subject: fill(subject, values, inSubject).replace(ENCODED_WORD, '= '),
    html: fill(html, values, escapeHtml),
    text: fill(text, values, (value) => value),
  };
}

function templates(): Record<MailTemplate, CompiledMail> {
  compiled ??= JSON.parse(
    readFileSync(new URL(`${DIST}/mail-templates.json`, import.meta.url), 'utf8'),
  ) as Record<MailTemplate, CompiledMail>;
  return compiled;
}

function fill(text: string, values: MailValues, write: (value: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`The mail has no value "${name}".`);
    return write(value);
  });
}

function inSubject(value: string): string {
  return value.length > LONGEST_IN_SUBJECT ? `${value.slice(0, LONGEST_IN_SUBJECT - 1)}…` : value;
}
