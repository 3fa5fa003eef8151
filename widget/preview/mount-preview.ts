import { Chat } from '../session/chat.ts';
import type { WidgetConfig } from '../session/api-client.ts';
import { decorate } from '../launcher/part.ts';
import { readLauncher } from '../launcher/read-launcher.ts';
import { Store } from '../session/store.ts';
import { readAppearance, type ColorScheme } from '../ui/theme.ts';
import { Widget } from '../ui/widget.ts';
import { loadWording, type Wording } from '../wording.ts';
import { PreviewApi, type PreviewAnswer } from './preview-api.ts';
import styles from './preview.css';

export type { WidgetConfig } from '../session/api-client.ts';
export type { AnswerPart, PreviewTurn } from './preview-api.ts';
export type { ColorScheme } from '../ui/theme.ts';

/** How the preview shows the widget, such as its color scheme. */
export interface PreviewLook {
  scheme: ColorScheme;
  isPhone: boolean;
}

export interface WidgetPreview {
  /** Shows the preview with another configuration of the bot. The conversation stays. */
  update(config: WidgetConfig, look: PreviewLook): void;
  /** Starts a new conversation in the preview. */
  reset(): void;
  remove(): void;
}

/**
 * Shows a bot's widget in an element of the page, with a local configuration and without calls to the API.
 * @param answer answers questions in the preview
 */
export async function mountPreview(
  container: Element,
  config: WidgetConfig,
  look: PreviewLook,
  answer: PreviewAnswer,
): Promise<WidgetPreview> {
  const wording = await loadWording('', [config.language, ...navigator.languages]);
  return new Preview(container, wording, config, look, answer);
}

class Preview implements WidgetPreview {
  readonly #container: Element;
  readonly #wording: Wording;
  readonly #answer: PreviewAnswer;
  #config: WidgetConfig;
  #look: PreviewLook;
  #api!: PreviewApi;
  #chat!: Chat;
  #chatLife = new AbortController();
  #widget: Widget | undefined;
  #widgetLife = new AbortController();

  constructor(
    container: Element,
    wording: Wording,
    config: WidgetConfig,
    look: PreviewLook,
    answer: PreviewAnswer,
  ) {
    this.#container = container;
    this.#wording = wording;
    this.#config = config;
    this.#look = look;
    this.#answer = answer;
    this.reset();
  }

  update(config: WidgetConfig, look: PreviewLook): void {
    const isNewChat = findChatParts(config) !== findChatParts(this.#config);
    this.#config = config;
    this.#look = look;
    if (isNewChat) this.reset();
    else this.#draw();
  }

  reset(): void {
    this.#chatLife.abort();
    this.#chatLife = new AbortController();
    this.#api = new PreviewApi(this.#config, this.#answer);
    this.#chat = new Chat({
      api: this.#api,
      config: this.#config,
      ...this.#wording,
      visitorId: undefined,
      store: new Store(this.#config.public_key, null),
      signal: this.#chatLife.signal,
      onChange: () => this.#widget?.draw(),
    });
    this.#draw();
    void this.#chat.resume(undefined);
  }

  remove(): void {
    this.#chatLife.abort();
    this.#widgetLife.abort();
  }

  /** Replaces the widget in the preview by one with the current configuration. */
  #draw(): void {
    const { scheme, isPhone } = this.#look;
    const isOpen = this.#widget?.isOpen ?? true;
    this.#widgetLife.abort();
    this.#widgetLife = new AbortController();
    this.#api.config = this.#config;
    const appearance = readAppearance(this.#config.theme, scheme);
    const widget = new Widget(
      {
        chat: this.#chat,
        config: this.#config,
        texts: this.#wording.texts,
        appearance: { ...appearance, css: `${appearance.css}${styles}${isPhone ? PHONE : ''}` },
        onBook: undefined,
        signal: this.#widgetLife.signal,
      },
      this.#wording.language,
    );
    const root = widget.mount(this.#container);
    // Show only the launcher's label: the preview has its own distances and sizes, and greetings would cover
    // it.
    const { label } = readLauncher(this.#config.theme);
    decorate(root, {
      widget,
      chat: this.#chat,
      config: { public_key: this.#config.public_key, theme: { launcher: { label } } },
      signal: this.#widgetLife.signal,
    });
    if (isOpen) widget.open(false);
    this.#widget = widget;
  }
}

/**
 * CSS rules for the preview of a phone: the panel covers the whole preview, as it covers the screen of a
 * phone.
 */
const PHONE =
  '.widget:is(.left,.right) .panel{inset:0!important;width:100%!important;height:100%!important;border:0;border-radius:0}.launcher[aria-expanded=true]{display:none}';

/** Returns the parts of the bot's configuration that determine how a conversation begins. */
function findChatParts({ lead_capture, opening }: WidgetConfig): string {
  return JSON.stringify([lead_capture, opening]);
}
