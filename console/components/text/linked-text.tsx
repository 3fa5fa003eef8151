import { SafeLink } from './safe-link.tsx';

/** Matches a URL or mailto link in a text, including punctuation at its end, which `CLOSING` then removes. */
const ADDRESS = /(?:https?:\/\/|mailto:)[^\s<>"'`]{1,2000}/gi;
const CLOSING = /[.,;:!?)\]}*_]{1,64}$/;

/**
 * Renders plain text with its URLs as links. Each link shows its full target, so that a text cannot disguise
 * the target.
 */
export function LinkedText({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = match.replace(CLOSING, '');
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
    <span className="text" dir="auto">
      {parts}
    </span>
  );
}
