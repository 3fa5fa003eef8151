import { h } from './dom.ts';
import type { View } from './view.ts';

/** Creates an element with the bot's image, or the first letter of its name. */
export function createAvatar({ config, appearance }: View): HTMLElement {
  const letter = h(
    'span',
    { class: 'avatar', 'aria-hidden': 'true' },
    config.name.trim().slice(0, 1).toUpperCase(),
  );
  if (appearance.avatarUrl === null) return letter;
  const image = h('img', {
    class: 'avatar',
    alt: '',
    referrerpolicy: 'no-referrer',
    // Load the bot's image only when the panel opens.
    loading: 'lazy',
    onerror: () => image.replaceWith(letter),
  });
  image.src = appearance.avatarUrl;
  return image;
}
