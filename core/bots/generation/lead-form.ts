import { chooseLanguage } from '../../languages.ts';
import type { LeadForm } from './blueprint.ts';
import { draftTexts } from './draft-texts.ts';

/** Matches a request for a contact form in a description, in the seven supported languages. */
const CONTACT_REQUEST = new RegExp(
  [
    String.raw`\bleads?\b|contact (?:details|form|data)|(?:collect|capture|ask for|take|get) (?:\w+ ){0,3}(?:contact|e-?mail|phone|name)`,
    String.raw`\bquotes?\b|quotation|call ?back|kontaktdaten|kontaktformular|angebote? (?:an|ein|er)|angebotsanfrage|r[üu]ckruf|interessenten`,
    String.raw`datos de contacto|presupuesto|coordonn[ée]es|devis|\brappel\b|preventiv|dati di contatto|contatti dei`,
    String.raw`contactgegevens|offerte|terugbel|dados de contacto|dados de contato|or[çc]amento`,
  ].join('|'),
  'iu',
);
const REFUSAL =
  /\b(?:no|not|never|don['’]?t|without|kein\w*|nicht|nie|ohne|sin|sans|pas|senza|non|geen|niet|zonder|sem|n[ãa]o)\b[^.!?]{0,40}$/iu;

/** Returns whether a description asks for a contact form, for example to make offers to visitors. */
export function asksForContacts(description: string): boolean {
  const found = CONTACT_REQUEST.exec(description);
  return found !== null && !REFUSAL.test(description.slice(0, found.index));
}

export function buildLeadForm(language: string): LeadForm {
  const texts = draftTexts[chooseLanguage([language])];
  return {
    enabled: true,
    title: texts.leadTitle,
    trigger: 'after_n_messages',
    trigger_value: 3,
    fields: [
      { key: 'name', label: texts.nameLabel, type: 'text', required: false },
      { key: 'email', label: texts.emailLabel, type: 'email', required: true },
      { key: 'phone', label: texts.phoneLabel, type: 'phone', required: false },
    ],
  };
}
