/** Parley's logo: two overlapping speech bubbles, for a question and an answer. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg className="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className="logo-tile" width="32" height="32" rx="8" />
      <path
        className="logo-back"
        d="M13.5 6.5h8a5 5 0 0 1 5 5v3.5a5 5 0 0 1-5 5h-.3v2.6a.6.6 0 0 1-1 .4l-3.1-3h-3.6a5 5 0 0 1-5-5v-3.5a5 5 0 0 1 5-5z"
      />
      <path
        className="logo-front"
        d="M10 12h6.4a4.4 4.4 0 0 1 4.4 4.4v1.8a4.4 4.4 0 0 1-4.4 4.4h-2.6l-3 3a.6.6 0 0 1-1-.4v-2.6a4.4 4.4 0 0 1-4.3-4.4v-1.8A4.4 4.4 0 0 1 10 12z"
      />
      <circle className="logo-dot" cx="10.4" cy="17.3" r="1.3" />
      <circle className="logo-dot" cx="15.6" cy="17.3" r="1.3" />
    </svg>
  );
}
