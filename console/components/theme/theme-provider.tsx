import { MantineProvider, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import type { ReactNode } from 'react';
import { theme } from './theme.ts';

const NAME = 'parley.theme';

let stopFollowing = (): void => undefined;

/**
 * Stores in this browser which color scheme the user has chosen. Nothing is stored for the system's own
 * scheme.
 */
const schemes: MantineColorSchemeManager = {
  get: (fallback) => toScheme(localStorage.getItem(NAME)) ?? fallback,
  set: (scheme) => (scheme === 'auto' ? localStorage.removeItem(NAME) : localStorage.setItem(NAME, scheme)),
  clear: () => localStorage.removeItem(NAME),
  subscribe: (onUpdate) => {
    const handleStorage = ({ key, newValue }: StorageEvent): void => {
      if (key === NAME) onUpdate(toScheme(newValue) ?? 'auto');
    };
    window.addEventListener('storage', handleStorage);
    stopFollowing = () => window.removeEventListener('storage', handleStorage);
  },
  unsubscribe: () => stopFollowing(),
};

function toScheme(text: string | null): MantineColorScheme | null {
  return text === 'light' || text === 'dark' ? text : null;
}

/**
 * Provides the console's theme to Mantine's components. The content security policy refuses style elements,
 * so Mantine must not write its variables itself. The style sheet that the page links contains them.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={schemes}
      withCssVariables={false}
      withGlobalClasses={false}
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}
