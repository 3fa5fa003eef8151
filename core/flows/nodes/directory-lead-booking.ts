import { Type, type Static } from '@sinclair/typebox';
import { isOutwardLink } from '../../text/page-address.ts';
import { foldText } from '../fold-text.ts';
import {
  leaveStep,
  defineNodeType,
  type BookedTime,
  type DirectoryPlace,
  type StepResult,
} from '../node-type.ts';
import { renderMarkdown } from '../templates.ts';
import { Data, VisitorText, templateAt } from './node-schemas.ts';

const OfferData = Data({ text: Type.Optional(VisitorText) });
type OfferData = Static<typeof OfferData>;

const templates = ({ text }: OfferData) => templateAt(text, 'text');

/**
 * Flow step that lets the visitor choose an entry of the bot's directory, first by category if the directory
 * has several. Finds the chosen entry by its label, because the owner may reorder entries while the visitor
 * reads the list.
 */
export const directory = defineNodeType<OfferData>({
  type: 'directory',
  schema: OfferData,
  ports: () => ['resolved', 'not_found'],
  listRequiredPorts: () => [['resolved'], ['not_found']],
  templates,
  need: 'directory',
  step: ({ text = '' }, { event, values, memory, directory: places, work }) => {
    if (places.length === 0)
      return { move: leaveStep('not_found'), note: 'The directory is empty or disabled.' };
    if (event.kind === 'entered') {
      const message = renderMarkdown(text, values, { work });
      return isGrouped(places)
        ? offer('category', listGroups(places), message)
        : offerPlaces(places, message);
    }
    if (event.kind !== 'said') return { move: leaveStep('not_found') };
    const foldedText = foldText(event.text, work);
    const isSelected = (name: string) => foldText(name, work) === foldedText;
    const isFirst = memory?.['step'] === 'category';
    const category = isFirst ? listCategories(places).find(isSelected) : undefined;
    if (category !== undefined) return offerPlaces(filterByCategory(places, category), '', category);
    const offered = filterByCategory(places, isFirst ? '' : (memory?.['category'] as string | undefined));
    const chosenEntry = offered.find(({ name }) => isSelected(name));
    return chosenEntry
      ? { texts: [linkTo(chosenEntry)], move: leaveStep('resolved') }
      : { move: leaveStep('not_found') };
  },
});

function isGrouped(places: readonly DirectoryPlace[]): boolean {
  return new Set(places.map(({ category = '' }) => category)).size > 1;
}

function listCategories(places: readonly DirectoryPlace[]): string[] {
  return [...new Set(places.flatMap(({ category = '' }) => category || []))];
}

/** Lists the categories of the bot's directory, then the names of entries without a category. */
function listGroups(places: readonly DirectoryPlace[]): string[] {
  return [...new Set([...listCategories(places), ...filterByCategory(places, '').map(({ name }) => name)])];
}

function filterByCategory(
  places: readonly DirectoryPlace[],
  category: string | undefined,
): readonly DirectoryPlace[] {
  return category === undefined ? places : places.filter((place) => (place.category ?? '') === category);
}

function offerPlaces(places: readonly DirectoryPlace[], text: string, category?: string): StepResult {
  const names = places.map(({ name }) => name);
  const offered = offer('place', names, text);
  if (offered.move.kind !== 'ask' || category === undefined) return offered;
  return { ...offered, move: { ...offered.move, memory: { ...offered.move.memory, category } } };
}

function offer(step: 'category' | 'place', names: readonly string[], text: string): StepResult {
  const options = names.map((label, at) => ({ id: String(at), label }));
  return { texts: [text], move: { kind: 'ask', input: { kind: 'choice', options }, memory: { step } } };
}

/**
 * Returns a Markdown link to an entry of the bot's directory, or only the entry's name if the widget does not
 * support the link's protocol.
 */
function linkTo({ name, link = '' }: DirectoryPlace): string {
  const label = renderMarkdown('{{bot.label}}', { bot: { label: name } });
  return isOutwardLink(link) && /^[^\s<>()]+$/.test(link) ? `[${label}](${link})` : label;
}

const formOptions = [
  { id: 'submitted', label: 'Submitted' },
  { id: 'refused', label: 'Refused' },
];

/**
 * Flow step that shows the bot's lead form. If the visitor sends a message instead of the form, the form
 * counts as declined.
 */
export const leadForm = defineNodeType<OfferData>({
  type: 'lead_form',
  schema: OfferData,
  ports: () => formOptions.map(({ id }) => id),
  listRequiredPorts: () => [['submitted'], ['refused']],
  templates,
  need: 'lead_form',
  step: ({ text = '' }, { event, values, work }) =>
    event.kind === 'entered'
      ? {
          texts: [renderMarkdown(text, values, { work })],
          move: { kind: 'ask', input: { kind: 'form', options: formOptions }, memory: {} },
        }
      : {
          move: leaveStep(event.kind === 'said' && event.optionId === 'submitted' ? 'submitted' : 'refused'),
        },
});

const bookingOptions = [
  { id: 'booked', label: 'Booked' },
  { id: 'none', label: 'None' },
];

/**
 * Flow step that offers free times of the workspace's calendar. If the visitor sends another message, the
 * offer counts as declined.
 */
export const booking = defineNodeType<OfferData>({
  type: 'booking',
  schema: OfferData,
  ports: () => ['booked', 'none', 'unavailable'],
  listRequiredPorts: () => [['booked'], ['none'], ['unavailable']],
  templates,
  need: 'calendar',
  step: ({ text = '' }, { event, values, work }) => {
    switch (event.kind) {
      case 'entered':
        return { move: { kind: 'perform', effect: { kind: 'book' } } };
      case 'booked':
        return { changes: bookedVariables(event.booking), move: leaveStep('booked') };
      case 'done':
        if (event.port !== 'offered') return { move: leaveStep(event.port) };
        return {
          texts: [renderMarkdown(text, values, { work })],
          move: { kind: 'ask', input: { kind: 'booking', options: bookingOptions }, memory: {} },
        };
      case 'said':
      case 'timed_out':
        return { move: leaveStep('none') };
    }
  },
});

/** Returns the variables that later steps of the flow can use after a booking. */
function bookedVariables({ start, end, timezone }: BookedTime): Record<string, string> {
  return {
    booking_time: localTimeText(start, timezone),
    booking_start: start,
    booking_end: end,
    booking_timezone: timezone,
  };
}

/** Formats a booked time in the visitor's time zone: `2026-11-23 10:00`. */
function localTimeText(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone });
  return format.format(new Date(at));
}
