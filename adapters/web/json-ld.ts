import { cutText } from '../../core/text/cut-text.ts';
import { cleanLine } from '../extraction/clean-text.ts';

/** Structured data that a page provides for search engines (JSON-LD). */
export interface LinkedData {
  /** Names of the business or the website in the page's structured data. */
  names: string[];
  mails: string[];
  phones: string[];
  questions: string[];
  /** People and places with a link in the page's structured data. Relative links are unresolved. */
  entries: { name: string; category: string; href: string }[];
}

const MAX_CHARS = 256 * 1024;
const MAX_OBJECTS = 2000;
const MAX_DEPTH = 8;
const BUSINESS =
  /(Organization|Business|Corporation|Store|Shop|Restaurant|Bakery|Cafe|Hotel|Dentist|Physician|Clinic|Hospital|Attorney|School|University|Agent|Agency|Salon|WebSite|NGO)$/;
const ENTRY =
  /^(Person|Physician|Dentist|Attorney|Place|LocalBusiness|Restaurant|Store|Hotel|MedicalClinic)$/;

type Json = Record<string, unknown>;

/** Parses the contents of a web page's `application/ld+json` elements. Skips invalid JSON. */
export function readLinkedData(texts: readonly string[]): LinkedData {
  const linkedData: LinkedData = { names: [], mails: [], phones: [], questions: [], entries: [] };
  for (const each of listJsonObjects(texts)) {
    const types = [each['@type']].flat().filter((type) => typeof type === 'string');
    const name = cleanJsonText(each['name']);
    const isBusiness = types.some((type) => BUSINESS.test(type));
    if (isBusiness && name !== '') linkedData.names.push(name);
    if (isBusiness) {
      linkedData.mails.push(cleanJsonText(each['email']).replace(/^mailto:/i, ''));
      linkedData.phones.push(cleanJsonText(each['telephone']));
    }
    if (types.includes('Question') && name !== '') linkedData.questions.push(name);
    const href = cleanJsonText(each['url']);
    if (types.some((type) => ENTRY.test(type)) && name !== '' && href !== '') {
      linkedData.entries.push({ name, category: readEntryCategory(each), href });
    }
  }
  return {
    ...linkedData,
    mails: linkedData.mails.filter(Boolean),
    phones: linkedData.phones.filter(Boolean),
  };
}

function readEntryCategory({ jobTitle, address }: Json): string {
  return cleanJsonText(jobTitle) || cleanJsonText((address as Json | undefined)?.['addressLocality']);
}

function listJsonObjects(texts: readonly string[]): Json[] {
  const objects: Json[] = [];
  let remainingChars = MAX_CHARS;
  const collectObjects = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (objects.length >= MAX_OBJECTS) return;
    if (!Array.isArray(value)) objects.push(value as Json);
    for (const part of Object.values(value)) collectObjects(part, depth + 1);
  };
  for (const text of texts) {
    remainingChars -= text.length;
    if (remainingChars < 0) break;
    try {
      collectObjects(JSON.parse(text), 0);
    } catch {
      // Skip invalid JSON, which is common in web pages.
    }
  }
  return objects;
}

const cleanJsonText = (value: unknown) => (typeof value === 'string' ? cutText(cleanLine(value), 300) : '');
