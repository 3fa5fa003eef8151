import { setting, textWithDefault, type SettingDefinition } from './setting-definition.ts';

export const alertPriceSettings = {
  alertPrices: setting(
    'Alerts',
    'PARLEY_ALERT_PRICES',
    textWithDefault(
      '{}',
      'Prices per message in US dollars, for estimates: JSON by channel and calling code (longest match, or `*`), e.g. `{"whatsapp":{"49":0.06,"*":0.03}}`. Default 0.',
    ),
  ),
} satisfies Record<string, SettingDefinition>;
