import { path } from '../../client/paths.ts';
import type { Bot } from '../../client/types.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { getBotFormKey } from '../studio/use-bot-form.ts';
import { DESCRIPTION_FORM } from './description-form.tsx';
import { generations } from './generations.ts';

/**
 * Button that deletes a generated bot and returns to the description. Archives the bot instead if the user
 * may not delete bots.
 */
export function DiscardDraft({ bot }: { bot: Bot }) {
  const { client, forms } = useSession();
  const mayDelete = usePermission()('bots:write', 'admin');
  const url = path`/api/bots/${bot.id}`;
  const { value: last } = generations;
  const request = last?.made?.botId === bot.id ? last.request : null;
  const leaveDraft = (): void => {
    forms.put(getBotFormKey(bot.id), {});
    if (request === null) return goTo(buildHref(['bots']));
    generations.forget();
    forms.put(DESCRIPTION_FORM, { ...request });
    goTo(buildHref(['bots', 'new']));
  };
  const consequences = [
    mayDelete
      ? 'This permanently deletes the draft and its imported pages.'
      : 'The draft is archived. An admin can delete it permanently.',
    ...(request === null ? [] : ['Your description is kept, so you can generate another bot.']),
  ];
  return (
    <ConfirmButton
      question={`Delete ${bot.name}?`}
      consequence={consequences.join(' ')}
      onConfirm={async () => {
        if (mayDelete) await client.delete(url);
        else await client.patch(url, { status: 'archived' });
        leaveDraft();
        showConfirmation(mayDelete ? 'Draft deleted' : 'Draft archived');
      }}
    >
      Delete draft
    </ConfirmButton>
  );
}
