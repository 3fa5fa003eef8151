import { SafeLink } from './safe-link.tsx';

/** Matches an address up to its end; `CLOSING` then removes the punctuation around it. */
const ADDRESS = /(?:https?:\/\/|mailto:)[^\s<>"'`]{1,2000}/gi;
const CLOSING = /[.,;:!?)\]}*_]{1,64}$/;

/**
 * Text with clickable addresses. Shows it verbatim in the direction of its script, and each link shows its target.
 */
export function LinkedText({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(CLOSING, '');
    parts.push(
      text.slice(end, index),
      <SafeLink key={index} href={address}>
        {address}
      </SafeLink>,
    );
    end = index + address.length;
  }
  parts.push(text.slice(end));
  return (
    <span class="text" dir="auto">
      {parts}
    </span>
  );
}
