import { normalizeText } from '../../text/normalize-text.ts';
import type { DraftTopic } from './draft-texts.ts';

interface Industry {
  /** Starts of words that indicate an industry, in the seven supported languages, without accents. */
  words: readonly string[];
  /** Topics about which visitors ask businesses of this industry most often. */
  topics: readonly DraftTopic[];
}

const appointments = ['services', 'booking', 'prices', 'hours', 'cancellation'] as const;
const shop = ['delivery', 'returns', 'payment', 'contact', 'prices'] as const;
const visit = ['hours', 'booking', 'prices', 'cancellation', 'contact'] as const;
const advice = ['services', 'prices', 'booking', 'contact', 'hours'] as const;

const industries: Record<string, Industry> = {
  healthcare: {
    words: [
      'clinic',
      'dent',
      'doctor',
      'medic',
      'physio',
      'therap',
      'hospital',
      'pharmac',
      'zahn',
      'arzt',
      'praxis',
      'apothek',
      'tandarts',
      'huisarts',
      'odonto',
      'farmac',
    ],
    topics: appointments,
  },
  hospitality: {
    words: ['hotel', 'hostel', 'guesthouse', 'pension', 'ferienwohnung', 'alojamiento', 'albergo', 'camping'],
    topics: visit,
  },
  restaurant: {
    words: [
      'restaurant',
      'ristorante',
      'pizzer',
      'cafe',
      'bistro',
      'bakery',
      'baker',
      'boulanger',
      'panader',
      'padaria',
      'bakkerij',
      'catering',
    ],
    topics: visit,
  },
  'real estate': {
    words: ['real estate', 'property', 'immobil', 'makler', 'inmobiliaria', 'imobiliaria', 'makelaar'],
    topics: advice,
  },
  legal: {
    words: ['lawyer', 'law firm', 'attorney', 'anwalt', 'kanzlei', 'abogad', 'avocat', 'avvocat', 'advoca'],
    topics: advice,
  },
  finance: {
    words: [
      'bank',
      'insur',
      'versicher',
      'accountant',
      'steuerberat',
      'seguro',
      'assuran',
      'assicura',
      'tax',
    ],
    topics: advice,
  },
  education: {
    words: [
      'school',
      'course',
      'universit',
      'academy',
      'schule',
      'kurs',
      'escuela',
      'ecole',
      'scuola',
      'escola',
    ],
    topics: ['services', 'prices', 'booking', 'contact', 'cancellation'],
  },
  fitness: {
    words: ['gym', 'fitness', 'yoga', 'pilates', 'climbing', 'sportschool', 'gimnasio', 'palestra'],
    topics: visit,
  },
  beauty: {
    words: [
      'salon',
      'hairdress',
      'barber',
      'beauty',
      'spa',
      'friseur',
      'kosmetik',
      'peluquer',
      'coiffeur',
      'kapper',
    ],
    topics: appointments,
  },
  mobility: {
    words: [
      'bicycle',
      'bike',
      'garage',
      'car rental',
      'fahrrad',
      'werkstatt',
      'autohaus',
      'biciclet',
      'fiets',
      'velo',
    ],
    topics: ['services', 'prices', 'hours', 'booking', 'contact'],
  },
  software: {
    words: ['software', 'saas', 'app', 'platform', 'plattform', 'hosting', 'api', 'logiciel'],
    topics: ['services', 'prices', 'support', 'cancellation', 'payment'],
  },
  travel: {
    words: ['travel', 'tour', 'reise', 'viaje', 'voyage', 'viaggi', 'viagen'],
    topics: visit,
  },
  retail: {
    words: [
      'shop',
      'store',
      'online shop',
      'webshop',
      'sell',
      'verkauf',
      'laden',
      'tienda',
      'boutique',
      'negozio',
      'loja',
      'winkel',
    ],
    topics: shop,
  },
};

const OTHER: Pick<Industry, 'topics'> = { topics: advice };

/**
 * Maximum number of characters of a business's description that are analyzed: several times the longest
 * description.
 */
const MAX_READ_LENGTH = 20_000;

/** Returns the industry that most words of a text indicate; `general` if no word indicates one. */
export function detectIndustry(text: string): string {
  const words = normalizeText(text, 'NFKD', MAX_READ_LENGTH)
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  const counted = Object.entries(industries).map(
    ([name, { words: starts }]) =>
      [name, starts.filter((start) => hasWordStartingWith(words, start)).length] as const,
  );
  const [name, count] = counted.reduce((best, each) => (each[1] > best[1] ? each : best));
  return count === 0 ? 'general' : name;
}

export function listIndustryTopics(industry: string): readonly DraftTopic[] {
  return (industries[industry] ?? OTHER).topics;
}

/**
 * Returns whether a word of the text starts with `start`. Words of up to three letters must be equal, since
 * `app` is also the start of `apple`.
 */
function hasWordStartingWith(text: string, start: string): boolean {
  const end = start.length <= 3 ? 's?(?![\\p{L}\\p{N}])' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])${start}${end}`, 'u').test(text);
}
