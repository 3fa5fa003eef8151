import type { Texts } from '../texts.ts';
import { button, h } from '../ui/dom.ts';
import { EMAIL_PATTERN } from '../ui/input-formats.ts';
import type { FormModule } from './contract.ts';

/** A field of the form for contact details, from the bot's setting `lead_capture`. */
interface LeadField {
  key: string;
  label: string;
  placeholder?: string | null;
  required?: boolean;
  type?: 'text' | 'email' | 'phone' | 'select' | 'number';
  options?: string[];
}

interface Question {
  field: LeadField;
  input: HTMLInputElement | HTMLSelectElement;
  problem: HTMLElement;
}

const inputTypes: Record<string, string> = { email: 'email', phone: 'tel', number: 'number' };
const autocomplete = new Map([
  ['name', 'name'],
  ['email', 'email'],
  ['phone', 'tel'],
  ['company', 'organization'],
]);

interface RefusedForm {
  code?: string;
  details?: { field: string; message: string }[];
}

export const showForm: FormModule['showForm'] = (place, lead, chat, texts, describeError, onDone) => {
  const fields = (lead['fields'] ?? []) as LeadField[];
  const first = fields.find(({ type }) => type === 'email') ?? fields[0];
  const questions = fields
    .toSorted((one, other) => Number(other === first) - Number(one === first))
    .map((field) => createQuestion(field, texts));
  const [firstQuestion, ...others] = questions.map(({ field, input, problem }) =>
    h('div', { class: 'field' }, createLabel(field, input.id, texts), input, problem),
  );
  const consent = h('input', { type: 'checkbox', id: 'consent', 'aria-describedby': 'consent-problem' });
  const consentProblem = h('p', { class: 'problem', id: 'consent-problem' });
  // The visitor sees one field of the form at first; the others follow once it is filled in.
  const rest = h(
    'div',
    { class: 'rest', hidden: others.length > 0 },
    others,
    h('label', { class: 'check', for: 'consent' }, consent, texts.leadConsent),
    consentProblem,
  );
  const failure = h('p', { class: 'problem', role: 'alert' });
  const submit = h('button', { type: 'submit', class: 'primary' }, rest.hidden ? texts.leadNext : texts.send);
  let isSending = false;
  const submitForm = async (event: Event) => {
    event.preventDefault();
    if (isSending) return;
    failure.textContent = '';
    if (rest.hidden) {
      if (validate(questions[0]!, texts)) showRest();
      else questions[0]!.input.focus();
      return;
    }
    const isComplete = questions.map((each) => validate(each, texts)).every(Boolean);
    consentProblem.textContent = consent.checked ? '' : texts.leadConsentNeeded;
    if (!isComplete || !consent.checked) {
      form.querySelector<HTMLElement>('[aria-invalid=true],#consent:not(:checked)')?.focus();
      return;
    }
    isSending = true;
    try {
      await chat.lead.submit(Object.fromEntries(questions.map((each) => [each.field.key, readValue(each)])));
      chat.notice = texts.leadThanks;
      onDone();
      answerFlow('submitted', texts.leadSent);
    } catch (error) {
      if ((error as RefusedForm | null)?.code === 'conflict') {
        // The bot's owner has switched the form off since the page was loaded.
        chat.notice = texts.leadOff;
        skip();
      } else if (!showFieldErrors(error, questions)) failure.textContent = describeError(error, texts);
    } finally {
      isSending = false;
    }
  };
  const showRest = () => {
    rest.hidden = false;
    submit.textContent = texts.send;
    questions[1]?.input.focus();
    form.scrollIntoView({ block: 'nearest' });
  };
  // If a flow asked for the form, send the option that continues the flow.
  const answerFlow = (option: string, text: string) => {
    if (chat.inputRequest?.kind === 'form') chat.send(text, option);
  };
  const skip = () => {
    chat.lead.dismiss();
    onDone();
    answerFlow('refused', texts.leadSkip);
  };
  const form = h(
    'form',
    {
      class: 'card',
      novalidate: true,
      'aria-labelledby': 'lead-title',
      onsubmit: (event: Event) => void submitForm(event),
    },
    h('h2', { id: 'lead-title', tabindex: -1 }, readNonEmptyText(lead['title']) ?? texts.leadTitle),
    readNonEmptyText(lead['intro']) && h('p', {}, readNonEmptyText(lead['intro'])),
    firstQuestion,
    rest,
    failure,
    h('div', { class: 'buttons' }, submit, button(texts.leadSkip, skip)),
  );
  place.replaceChildren(form);
};

function createLabel({ label: text, required }: LeadField, id: string, texts: Texts): HTMLElement {
  return h('label', { for: id }, text, !required && h('small', {}, ` (${texts.optional})`));
}

function createQuestion(field: LeadField, texts: Texts): Question {
  const { key, type = 'text', placeholder, required, options = [] } = field;
  const id = `lead-${key}`;
  const problem = h('p', { class: 'problem', id: `${id}-problem` });
  const attributes = {
    id,
    name: key,
    'aria-describedby': problem.id,
    'aria-required': required ? 'true' : null,
  };
  const input =
    type === 'select' && options.length > 0
      ? h(
          'select',
          attributes,
          h('option', { value: '' }, texts.choose),
          options.map((option) => h('option', {}, option)),
        )
      : h('input', {
          ...attributes,
          type: inputTypes[type] ?? 'text',
          step: type === 'number' ? 'any' : null,
          placeholder,
          autocomplete: autocomplete.get(key) ?? autocomplete.get(type) ?? 'off',
        });
  return { field, input, problem };
}

function validate(question: Question, texts: Texts): boolean {
  const { field, input } = question;
  const text = input.value.trim();
  if (text === '' && 'validity' in input && input.validity.badInput)
    return showProblem(question, texts.invalidNumber);
  if (text === '') return showProblem(question, field.required ? texts.required : '');
  if (field.type === 'email' && !EMAIL_PATTERN.test(text)) return showProblem(question, texts.invalidEmail);
  return showProblem(question, '');
}

/**
 * Shows the error message about a field of the form.
 * @returns true if the field is valid, because the text is empty
 */
function showProblem({ input, problem }: Question, text: string): boolean {
  problem.textContent = text;
  input.setAttribute('aria-invalid', String(text !== ''));
  return text === '';
}

/**
 * Shows the API's error messages beside the fields that they are about.
 * @returns whether there was any such message
 */
function showFieldErrors(error: unknown, questions: Question[]): boolean {
  const { details = [] } = (error ?? {}) as RefusedForm;
  const found = questions.filter((each) => {
    const detail = details.find(({ field }) => field === `fields.${each.field.key}`);
    if (detail) showProblem(each, detail.message);
    return detail !== undefined;
  });
  found[0]?.input.focus();
  return found.length > 0;
}

function readValue({ field, input }: Question): string | number | null {
  const text = input.value.trim();
  if (text === '') return null;
  return field.type === 'number' ? Number(text) : text;
}

function readNonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
