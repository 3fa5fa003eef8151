import { Button, Drawer, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ColorScheme, PreviewLook, WidgetPreview } from '../../../widget/preview/mount-preview.ts';
import type { Bot } from '../../client/types.ts';
import { IconMoon, IconRefresh, IconSun } from '../../shell/icons.ts';
import { findBotChanges, type BotDraft } from '../fields/bot-draft.ts';
import { IconDesktop, IconPhone } from '../icons.ts';
import { usePreviewAnswer } from './use-preview-answer.ts';
import { toWidgetConfig } from './widget-config.ts';

export interface PreviewProps {
  bot: Bot;
  /** Unsaved values of the bot form, which the preview shows immediately. */
  draft: BotDraft;
}

/**
 * Pause in milliseconds before the preview shows a change, so that fast typing does not redraw the widget for
 * each letter.
 */
const SETTLE_MS = 120;

/** Shows the widget with the bot's unsaved settings, as visitors would see it. */
export function PreviewPane({ bot, draft }: PreviewProps) {
  const [look, setLook] = useState<PreviewLook>({ scheme: 'light', isPhone: false });
  const { container, reset } = useWidgetPreview(bot, draft, look);
  return (
    <aside className="preview" aria-label="Preview">
      <div className="preview-tools">
        <SegmentedControl
          size="xs"
          aria-label="Device"
          value={look.isPhone ? 'phone' : 'desktop'}
          data={[
            { value: 'desktop', label: <Choice icon={<IconDesktop size={16} />} name="Desktop" /> },
            { value: 'phone', label: <Choice icon={<IconPhone size={16} />} name="Phone" /> },
          ]}
          onChange={(device) => setLook({ ...look, isPhone: device === 'phone' })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Color scheme"
          value={look.scheme}
          data={[
            { value: 'light', label: <Choice icon={<IconSun size={16} />} name="Light" /> },
            { value: 'dark', label: <Choice icon={<IconMoon size={16} />} name="Dark" /> },
          ]}
          onChange={(scheme) => setLook({ ...look, scheme: scheme as ColorScheme })}
        />
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconRefresh size={16} />}
          onClick={reset}
        >
          Reset chat
        </Button>
      </div>
      <div
        ref={container}
        className="preview-page"
        data-scheme={look.scheme}
        data-phone={look.isPhone || undefined}
      />
    </aside>
  );
}

export interface PreviewDrawerProps extends PreviewProps {
  isOpen: boolean;
  onClose(): void;
}

/** Shows the preview of the widget in a drawer, for small windows. */
export function PreviewDrawer({ isOpen, onClose, ...preview }: PreviewDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={460}
      title="Preview"
      className="preview-drawer"
    >
      <PreviewPane {...preview} />
    </Drawer>
  );
}

function Choice({ icon, name }: { icon: React.ReactNode; name: string }) {
  return (
    <span className="preview-choice" title={name}>
      {icon}
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}

/** Runs a preview of the widget in an element, with the current values of the bot form. */
function useWidgetPreview(bot: Bot, draft: BotDraft, look: PreviewLook) {
  const container = useRef<HTMLDivElement>(null);
  const preview = useRef<WidgetPreview | null>(null);
  const answer = usePreviewAnswer(bot, findBotChanges(bot, draft));
  const current = useRef({ config: toWidgetConfig(bot, draft), look, answer });
  current.current = { config: toWidgetConfig(bot, draft), look, answer };
  useEffect(() => {
    let isUnmounted = false;
    const load = async (): Promise<void> => {
      const { mountPreview } = await import('../../../widget/preview/mount-preview.ts');
      if (isUnmounted || container.current === null) return;
      const { config, look: shown } = current.current;
      const mounted = await mountPreview(container.current, config, shown, (question, history, signal) =>
        current.current.answer(question, history, signal),
      );
      if (isUnmounted) return mounted.remove();
      preview.current = mounted;
      mounted.update(current.current.config, current.current.look);
    };
    void load();
    return () => {
      isUnmounted = true;
      preview.current?.remove();
      preview.current = null;
    };
  }, [bot.id, draft.language]);
  const shown = JSON.stringify(current.current.config);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      preview.current?.update(current.current.config, current.current.look);
    }, SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [shown, look]);
  return { container, reset: () => preview.current?.reset() };
}
