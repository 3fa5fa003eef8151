import { button, h } from '../ui/dom.ts';
import type { RatingModule } from './contract.ts';
import { ratingWords } from './words.ts';

const reasons = ['incorrect', 'incomplete', 'off_topic', 'unclear', 'other'] as const;
/** Maximum number of characters in a visitor's comment on an answer; the API has the same limit. */
const MAX_COMMENT_LENGTH = 1000;

export const askReason: RatingModule['askReason'] = (container, language, { send, cancel }, submit) => {
  const words = ratingWords[language] ?? ratingWords['en']!;
  let reason: string | null = null;
  let isSending = false;
  const chips = reasons.map((each) => {
    const chip = button(words[each], () => choose(each), 'chip');
    chip.setAttribute('aria-pressed', 'false');
    return chip;
  });
  const choose = (chosen: string): void => {
    reason = reason === chosen ? null : chosen;
    chips.forEach((chip, index) => chip.setAttribute('aria-pressed', String(reasons[index] === reason)));
  };
  const comment = h('textarea', {
    rows: 2,
    maxlength: MAX_COMMENT_LENGTH,
    placeholder: words.comment,
    'aria-label': words.comment,
    dir: 'auto',
  });
  const close = (): void => container.replaceChildren();
  const submitForm = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    await submit({ reason, comment: comment.value.trim() || null });
    close();
  };
  const title = h('h2', { id: 'reason', tabindex: -1 }, words.question);
  container.replaceChildren(
    h(
      'form',
      {
        class: 'card reason',
        'aria-labelledby': title.id,
        onsubmit: (event: Event) => void submitForm(event),
      },
      title,
      h('div', { class: 'buttons' }, chips),
      comment,
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'submit', class: 'primary' }, send),
        button(cancel, close),
      ),
    ),
  );
  title.focus({ preventScroll: true });
  container.scrollIntoView({ block: 'nearest' });
};
