import { findNearestNames } from '../../core/text/nearest-names.ts';
import { translations, isSupported } from '../languages.ts';
import { ATTRIBUTES, isSetLate, isVisitorId, readLanguage, SETTINGS } from '../option-check.ts';
import type { PageOptions } from './contract.ts';
import { listUnknownKeys } from './theme-faults.ts';

/** Matches names of global variables that resemble `ParleySettings`, such as `parleySettings`. */
const OTHER_SETTINGS = /^parley_?(settings|config|options)$/i;
/**
 * Patterns for the names of options in other chat widgets, without separators, with advice on Parley's
 * option.
 */
const GUESSES: readonly [words: RegExp, advice: string][] = [
  [/^(bot|chatbot|widget|public|publishable|api|parley)(id|key)$/, 'Did you mean data-bot?'],
  [/^(locale|lng)$/, 'Did you mean data-language?'],
  [/^(token|jwt|auth|authtoken|usertoken|identity|userhash)$/, 'Did you mean data-identity-token?'],
  [/^(user|visitor|customer)(id)?$/, 'Did you mean ParleySettings.visitorId?'],
  [/colou?r$/, 'Set primary_color in the widget_theme of the bot.'],
  [/^(position|align|alignment|side|placement)$/, 'Set position in the widget_theme of the bot.'],
  [/^(theme|colorscheme|darkmode|mode)$/, 'Set color_scheme in the widget_theme of the bot.'],
  [/^(avatar|avatarurl|logo|icon|image)$/, 'Set avatar_url in the widget_theme of the bot.'],
  [/^(greeting|welcome|welcomemessage|title|botname)$/, 'Set the bot’s welcome_message or name.'],
  [
    /^(url|host|server|baseurl|apiurl|endpoint)$/,
    'The widget uses the server from which its script is loaded.',
  ],
];

/**
 * Lists the options of the page that the widget ignores, each with advice for the page's developer.
 * Attributes that resemble no option belong to other programs.
 * @param current `window.ParleySettings` now
 */
export function listPageFaults(
  { settings, attributes, globals }: PageOptions,
  current: Record<string, unknown>,
): string[] {
  const language = readLanguage({ settings, attributes });
  return [
    ...globals
      .filter((name) => OTHER_SETTINGS.test(name) && name !== 'ParleySettings')
      .map((name) => `window.${name} is ignored. Did you mean window.ParleySettings?`),
    ...(isSupported(language)
      ? []
      : [`the widget has no language "${language}", only ${['en', ...translations].join(', ')}.`]),
    ...(isVisitorId(settings['visitorId'] as string)
      ? []
      : ['visitorId must be a string of 1 to 128 characters; it is ignored.']),
    ...listSettingsFaults(current),
    ...SETTINGS.filter((key) => isSetLate(key, settings, current)).map(describeLateOption),
    ...Object.keys(attributes)
      .filter((key) => !ATTRIBUTES.includes(key))
      .flatMap((key) => {
        const advice = findGuess(key) ?? findOption(key);
        return advice === undefined
          ? []
          : [`${toAttribute(key)} is not a known attribute and is ignored. ${advice}`];
      }),
  ];
}

function listSettingsFaults(current: Record<string, unknown>): string[] {
  // If the settings are a text or a list, their keys are the positions of characters or items.
  return '0' in current
    ? ['ParleySettings must be an object, such as { language: "fr" }. It is ignored.']
    : listUnknownKeys('ParleySettings', current, SETTINGS, findGuess);
}

function findGuess(key: string): string | undefined {
  const word = key.toLowerCase().replaceAll(/[-_]/g, '');
  return GUESSES.find(([words]) => words.test(word))?.[1];
}

function describeLateOption(key: string): string {
  const alternative = key === 'identityToken' ? ', or call Parley.identify(token)' : '';
  return `ParleySettings.${key} was set after the widget’s script had read it, and is ignored. Set window.ParleySettings before the script runs${alternative}.`;
}

function findOption(key: string): string | undefined {
  const options = [...new Set([...ATTRIBUTES, ...SETTINGS])];
  const [near] = findNearestNames(key, options);
  const name = near ?? options.find((option) => key.length > 3 && option.startsWith(key));
  return name && `Did you mean ${describeOption(name)}?`;
}

function describeOption(name: string): string {
  return ATTRIBUTES.includes(name) ? toAttribute(name) : `ParleySettings.${name}`;
}

function toAttribute(name: string): string {
  return `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
