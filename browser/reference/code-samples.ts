import { ChosenLanguage } from './chosen-language.ts';
import type { Component, Props, System } from './swagger-ui.ts';

interface Sample {
  label: string;
  source: string;
}

/** Arrow keys, with the direction in which they move among the language tabs. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const language = new ChosenLanguage();

/** Creates a plugin that shows code samples above the responses of an operation, with a tab for each language. */
export function createCodeSamplesPlugin() {
  return {
    wrapComponents: {
      responses: (Original: Component, system: System) => {
        const Samples = createSamplesComponent(system);
        const { createElement } = system.React;
        return (props: Props) =>
          createElement('div', null, createElement(Samples, props), createElement(Original, props));
      },
    },
  };
}

function createSamplesComponent({ React, specSelectors }: System): Component {
  return function Samples({ path, method }) {
    const id = React.useId();
    const label = React.useSyncExternalStore(language.subscribe, language.read);
    const found = specSelectors.specJson().getIn(['paths', path, method, 'x-codeSamples'])?.toJS();
    const samples = (found ?? []) as readonly Sample[];
    const shown = samples.find((sample) => sample.label === label) ?? samples[0];
    if (!shown) return null;
    return React.createElement(
      'section',
      { className: 'samples', 'aria-label': 'Samples' },
      React.createElement(
        'div',
        { role: 'tablist', 'aria-label': 'Language', onKeyDown: moveTabFocus },
        ...samples.map((sample) => renderSampleTab(React, id, sample, sample === shown)),
      ),
      React.createElement(
        'pre',
        { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${shown.label}`, tabIndex: 0 },
        React.createElement('code', null, shown.source),
      ),
    );
  };
}

function renderSampleTab(React: System['React'], id: string, { label }: Sample, isShown: boolean): unknown {
  return React.createElement(
    'button',
    {
      key: label,
      type: 'button',
      role: 'tab',
      id: `${id}-${label}`,
      'aria-controls': `${id}-panel`,
      'aria-selected': isShown,
      // Make only the selected tab reachable by the Tab key. Arrow keys move among the tabs.
      tabIndex: isShown ? 0 : -1,
      onClick: () => language.choose(label),
    },
    label,
  );
}

function moveTabFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const next = tabs.at((tabs.indexOf(event.target as HTMLElement) + step) % tabs.length);
  next?.focus();
  next?.click();
}
