import { button, h } from '../ui/dom.ts';
import type { SheetsModule } from './contract.ts';

export const fillSheet: SheetsModule['fillSheet'] = (sheet, name, chat, texts, onDone) => {
  const buttons = sheet.querySelector('.buttons')!;
  const createButton = (text: string, work: () => Promise<void>) =>
    button(text, () => void chat.attempt(work).then(onDone));
  if (name === 'end') return buttons.prepend(createButton(texts.end, () => chat.end()));
  const createChoice = (text: string, setConsent: () => Promise<void>, confirmation: string) =>
    createButton(text, async () => {
      await setConsent();
      chat.notice = confirmation;
    });
  const { consent } = chat.lead;
  buttons.before(h('p', {}, texts.privacyText));
  if (consent !== 'unknown')
    buttons.before(h('p', {}, consent === 'granted' ? texts.privacyAllowed : texts.privacyRefused));
  buttons.prepend(
    createChoice(texts.allow, () => chat.lead.setConsent('granted'), texts.privacyAllowed),
    createChoice(texts.refuse, () => chat.lead.withdraw(), texts.privacyRefused),
  );
};
