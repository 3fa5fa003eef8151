import { setting, textWithDefault, type SettingDefinition } from './setting-definition.ts';

export const alertPriceSettings = {
  alertPrices: setting(
    'Alerts',
    'PARLEY_ALERT_PRICES',
    textWithDefault(
      '{}',
      'US dollars for a message, as JSON by channel and calling code, of which the longest counts, or `*`: `{"whatsapp":{"49":0.06,"1":0.01,"*":0.03}}`. Estimates of alerts are made with them; what has no price costs nothing.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;
