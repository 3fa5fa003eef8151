import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';
import mjml2html from 'mjml';
import {
  isMailCategory,
  mailKinds,
  translatedMails,
  type MailCategory,
  type MailKind,
  type MailTemplate,
} from '../services/mail/rendering/mail-templates.ts';
import type { CompiledMail } from '../services/mail/rendering/render-mail.ts';
import { projectRoot } from './launcher/project-root.ts';

const templates = new URL('services/mail/templates/', projectRoot());
const toFileName = (name: string) => `${name.replaceAll('_', '-')}.mjml`;
const readTemplate = (name: string) =>
  readFileSync(new URL(toFileName(name), templates), 'utf8').replace(/\{\{\s*(\w+)\s*\}\}/g, '{{$1}}');
/** Placeholder for a line break in an email template while white space is collapsed. */
const LINE_BREAK = '[[br]]';
const layout = readTemplate('layout');

/**
 * Compiles an email template to HTML and plain text. The layout template adds header and footer to the
 * template's elements.
 */
async function compileMail(template: MailTemplate): Promise<CompiledMail> {
  const $ = load(readTemplate(template), { xml: true });
  const [title, preview] = ['mj-title', 'mj-preview'].map((name) => collapseSpace($(name).text()));
  if (!title || !preview) throw new Error(`${template}: mj-title is its subject, mj-preview its first line.`);
  $('mj-title, mj-preview').remove();
  const isForVisitors = mailKinds[template] === 'visitors';
  const parts = {
    title,
    preview,
    content: $.xml().trim(),
    footer: renderFooter(template),
    language: isForVisitors || translatedMails.has(template) ? '{{language}}' : 'en',
    brand: isForVisitors ? '{{botName}}' : 'Parley',
  };
  const { html, errors } = await mjml2html(
    layout.replace(/\[\[(\w+)\]\]/g, (_all, name: keyof typeof parts) => parts[name]),
    { validationLevel: 'strict', fonts: {} },
  );
  if (errors.length > 0) throw new Error(`${template}: ${errors.map(String).join('; ')}`);
  return {
    subject: title,
    html,
    text: `${toPlainMail(parts.content)}\n\n--\n${toPlainMail(parts.footer)}\n`,
  };
}

const MAIL_REASONS: Record<Exclude<MailKind, MailCategory | 'visitors'>, string> = {
  security: 'You received this email because it concerns the security of your account.',
  invitations: 'You received this email because someone invited you to Parley.',
  billing: 'You received this email because it concerns your billing.',
};

const NOTIFICATION_NAMES: Record<MailCategory, string> = {
  leads: 'lead',
  handoff: 'handoff',
  content: 'content',
  usage: 'usage',
  health: 'health',
  digest: 'weekly',
  product: 'product',
  bookings: 'booking',
};

function renderFooter(template: MailTemplate): string {
  const kind: MailKind = mailKinds[template];
  if (kind === 'visitors') return '<mj-text mj-class="small">{{why}}</mj-text>';
  if (translatedMails.has(template))
    return '<mj-text mj-class="small">{{why}} <a href="{{unsubscribeLink}}">{{turnOff}}</a></mj-text>';
  const footer = isMailCategory(kind)
    ? `You received this email because ${NOTIFICATION_NAMES[kind]} notifications are on. <a href="{{unsubscribeLink}}">Unsubscribe</a>`
    : MAIL_REASONS[kind];
  return `<mj-text mj-class="small">${footer}</mj-text>`;
}

function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function toPlainMail(content: string): string {
  const $ = load(content, { xml: true });
  $('br').replaceWith(LINE_BREAK);
  $('a').each((_index, link) => void $(link).replaceWith(`${$(link).text()}: ${$(link).attr('href')}`));
  return $('mj-text, mj-button')
    .map((_index, element) => {
      const text = collapseSpace($(element).text())
        .replaceAll(` ${LINE_BREAK} `, LINE_BREAK)
        .replaceAll(LINE_BREAK, '\n');
      return element.name === 'mj-button' ? `${text}:\n${$(element).attr('href')}` : text;
    })
    .get()
    .join('\n\n');
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: tsx scripts/compile-mails.ts <folder to write to>');
mkdirSync(folder, { recursive: true });
const names = Object.keys(mailKinds) as MailTemplate[];
const unknown = readdirSync(templates).filter(
  (file) => file !== 'layout.mjml' && !names.some((name) => file === toFileName(name)),
);
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: name them in MailData and mailKinds.`);
const compiled = await Promise.all(names.map(async (name) => [name, await compileMail(name)] as const));
writeFileSync(join(folder, 'mail-templates.json'), JSON.stringify(Object.fromEntries(compiled)));
