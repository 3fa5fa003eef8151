import { h } from '../dom.ts';

interface Sample {
  label: string;
  source: string;
}

/**
 * Arrow keys, with the direction in which they move the focus among the language tabs of the code samples.
 */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Functions that display the code samples of a programming language, one for each rendered operation. */
const listeners = new Set<(label: string) => void>();
let chosenLabel = '';

/**
 * Creates tabs with one code sample for each programming language. A choice applies to all operations of the
 * page.
 */
export function createCodeSamples(samples: readonly Sample[]): HTMLElement | null {
  const [first] = samples;
  if (!first) return null;
  const code = h('code');
  const panel = h('pre', { role: 'tabpanel', tabindex: 0 }, code);
  const tabs = samples.map(({ label }) =>
    h(
      'button',
      { type: 'button', role: 'tab', onclick: () => choose(label), onkeydown: moveTabFocus },
      label,
    ),
  );
  const show = (selectedLabel: string): void => {
    const shown = samples.find(({ label }) => label === selectedLabel) ?? first;
    code.textContent = shown.source;
    panel.ariaLabel = shown.label;
    for (const tab of tabs) {
      const isShown = tab.textContent === shown.label;
      tab.ariaSelected = String(isShown);
      // Make only the selected tab reachable by the Tab key. Arrow keys move among the tabs.
      tab.tabIndex = isShown ? 0 : -1;
    }
  };
  listeners.add(show);
  show(chosenLabel);
  const list = h('div', { role: 'tablist', 'aria-label': 'Language' }, ...tabs);
  return h('section', { class: 'samples', 'aria-label': 'Samples' }, list, panel);
}

function choose(label: string): void {
  chosenLabel = label;
  for (const show of listeners) show(label);
}

function moveTabFocus(event: KeyboardEvent): void {
  const step = steps[event.key];
  const tab = event.target as HTMLElement;
  if (step === undefined || !tab.parentElement) return;
  event.preventDefault();
  const tabs = [...tab.parentElement.querySelectorAll('button')];
  const next = tabs.at((tabs.indexOf(tab as HTMLButtonElement) + step) % tabs.length);
  next?.focus();
  next?.click();
}
