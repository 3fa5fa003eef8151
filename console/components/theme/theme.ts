import type { AlertProps, MantineColorsTuple, MantineThemeOverride } from '@mantine/core';

const brand: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#818cf8',
  '#5b5bf0',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
  '#312e81',
];

const gray: MantineColorsTuple = [
  '#f9fafb',
  '#f3f4f6',
  '#e8eaee',
  '#dcdfe5',
  '#c5c9d2',
  '#979dab',
  '#5f6675',
  '#464c5a',
  '#2f343f',
  '#1a1d26',
];

const red: MantineColorsTuple = [
  '#fdebec',
  '#fbd5d8',
  '#f7b1b6',
  '#f2878f',
  '#ec5f6a',
  '#cf3d4a',
  '#c92a37',
  '#b0212d',
  '#951a25',
  '#7a141d',
];

/** Shades of the console's dark color scheme: text first, then lines, controls, cards, and the page. */
const dark: MantineColorsTuple = [
  '#e6e8ee',
  '#c4c9d4',
  '#9aa1b0',
  '#737a8a',
  '#343a47',
  '#2a2f3a',
  '#1e222b',
  '#14171d',
  '#0f1116',
  '#0a0c10',
];

const fontFamily =
  'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** Names of the design tokens for each color of Mantine's message box. */
const alertTones: Readonly<Record<string, string>> = { red: 'bad', green: 'good', yellow: 'busy' };

/**
 * Design values of the console, such as colors and fonts. The build writes them to the style sheet as CSS
 * variables.
 */
export const theme: MantineThemeOverride = {
  colors: { brand, gray, dark, red },
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 5 },
  black: '#1a1d26',
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '20px' },
  fontFamily,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.43', md: '1.43', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '1.4' },
      h2: { fontSize: '16px', lineHeight: '1.5' },
      h3: { fontSize: '14px', lineHeight: '1.43' },
    },
  },
  shadows: {
    xs: '0 1px 2px rgb(16 18 27 / 6%)',
    sm: '0 1px 3px rgb(16 18 27 / 8%), 0 1px 2px rgb(16 18 27 / 4%)',
    md: '0 6px 18px rgb(16 18 27 / 10%), 0 1px 3px rgb(16 18 27 / 6%)',
    lg: '0 16px 40px rgb(16 18 27 / 16%)',
    xl: '0 24px 64px rgb(16 18 27 / 20%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: {
      classNames: { label: 'field-label', error: 'field-problem', description: 'field-hint' },
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Input: { defaultProps: { size: 'sm' } },
    Alert: {
      defaultProps: { radius: 'sm' },
      vars: (_: unknown, { color = '' }: AlertProps) => {
        const tone = alertTones[color];
        return tone === undefined
          ? {}
          : { root: { '--alert-bg': `var(--${tone}-surface)`, '--alert-color': `var(--${tone})` } };
      },
    },
    Checkbox: { defaultProps: { radius: 'xs' } },
    Modal: {
      defaultProps: {
        lockScroll: false,
        radius: 'lg',
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: {
      defaultProps: {
        lockScroll: false,
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.35 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Menu: { defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { openDelay: 300, fz: 12 } },
  },
};
