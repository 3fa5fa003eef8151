import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ConsolePreferences, ConsolePreferencesChange } from '../client/types.ts';
import { setTimeZone } from '../components/text/format-time.ts';
import { showError } from '../components/page/notices.ts';
import { toApiError } from '../client/api-error.ts';
import { useSession } from '../session/session.tsx';
import { PREFERENCES_URL, savePreferences } from './preferences.ts';
import { useApi } from './use-api.ts';

export interface Preferences {
  /** The user's preferences; undefined until loaded, and for API keys, which have no preferences. */
  preferences: ConsolePreferences | undefined;
  isLoading: boolean;
  save(changes: ConsolePreferencesChange): void;
}

/** Provides the user's preferences for the console, which apply on all devices. */
export function usePreferences(): Preferences {
  const { client, me } = useSession();
  const queries = useQueryClient();
  const isSession = me.data !== undefined && me.data.session_id !== null;
  const { data, isLoading } = useApi<ConsolePreferences>(isSession ? PREFERENCES_URL : null);
  return {
    preferences: data,
    isLoading: isLoading || me.data === undefined,
    save: (changes) => {
      if (!isSession) return;
      savePreferences(client, queries, changes).catch((error) => showError(toApiError(error).message));
    },
  };
}

type Theme = ConsolePreferences['theme'];

/** Provides the color theme of the console, which is one of the user's preferences. */
export function useTheme(): { theme: Theme; setTheme(theme: Theme): void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { save } = usePreferences();
  return {
    theme: colorScheme,
    setTheme: (theme) => {
      setColorScheme(theme);
      save({ theme });
    },
  };
}

/**
 * Applies the color theme and the time zone of the user's preferences, also after a change on another device.
 */
export function useAppliedPreferences(): void {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { preferences } = usePreferences();
  setTimeZone(preferences?.time_zone ?? null);
  useEffect(() => {
    if (preferences !== undefined) setColorScheme(preferences.theme);
  }, [preferences?.theme]);
}
