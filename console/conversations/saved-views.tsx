import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { path, withQuery } from '../client/paths.ts';
import type { SavedView } from '../client/types.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { CheckboxField, TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { Tabs } from '../components/page/tabs.tsx';
import { buildHref, goTo } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconBookmark, IconTrash } from '../shell/icons.ts';
import { useApi } from '../state/use-api.ts';
import { useAction } from '../state/use-action.ts';
import { useReload } from '../state/use-reload.ts';

const URL = '/api/ext/saved-views';

export interface SavedViewsProps {
  page: SavedView['page'];
  filters: Record<string, string>;
}

/** Returns the sets of filters that the user has saved for a page. An API key has no saved filters. */
function useViews({ page, filters }: SavedViewsProps) {
  const { me } = useSession();
  const isPerson = me.data !== undefined && me.data.scopes === null;
  const { data: views } = useApi<SavedView[]>(isPerson ? withQuery(URL, { page }) : null);
  const current = views?.find(({ query }) => isSame(query, filters));
  return { views, current };
}

/** Tabs for the sets of filters that the user has saved for a page. */
export function SavedViews({ page, filters }: SavedViewsProps) {
  const { views = [], current } = useViews({ page, filters });
  const [isAsking, setAsking] = useState(false);
  const isFiltered = Object.keys(filters).length > 0;
  if (views.length === 0) return null;
  return (
    <div className="view-bar">
      <Tabs
        label="Views"
        current={current?.id ?? (isFiltered ? '' : 'all')}
        tabs={[
          { id: 'all', name: 'All', href: buildHref([page]) },
          ...views.map(({ id, name, query }) => ({ id, name, href: buildHref([page], query) })),
        ]}
      />
      {current?.is_own === true && (
        <RowMenu about={current.name}>
          <Menu.Item leftSection={<IconTrash />} className="danger-item" onClick={() => setAsking(true)}>
            Delete view
          </Menu.Item>
        </RowMenu>
      )}
      {isAsking && current !== undefined && (
        <DeleteView view={current} page={page} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

/**
 * Button that saves the filters of the page under a name; renders nothing if these filters are already saved.
 */
export function SaveViewButton({ page, filters }: SavedViewsProps) {
  const { views, current } = useViews({ page, filters });
  const [isOpen, setOpen] = useState(false);
  if (views === undefined || current !== undefined || Object.keys(filters).length === 0) return null;
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconBookmark size={16} />}
        onClick={() => setOpen(true)}
      >
        Save view
      </Button>
      {isOpen && <SaveView page={page} filters={filters} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveView({ page, filters, onClose }: SavedViewsProps & { onClose(): void }) {
  const { client } = useSession();
  const reload = useReload();
  const mayShare = usePermission()('org:write', 'admin');
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const save = useAction(async () => {
    await client.post<SavedView>(URL, { page, name, query: filters, is_shared: isShared });
    await reload(URL);
    showConfirmation('View saved');
    onClose();
  });
  return (
    <Dialog title="Save view" onClose={onClose}>
      <Form onSubmit={() => save.run()}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={60}
          isRequired
          isFocused
          placeholder="Unresolved leads"
          problem={describeFieldProblem(save.problem, 'name', 'Name')}
        />
        {mayShare && (
          <CheckboxField label="Share with all members" isChecked={isShared} onChange={setShared} />
        )}
        <ProblemMessage problem={save.problem} inlineFields={['name']} />
        <SubmitOrCancel isBusy={save.isBusy}>Save view</SubmitOrCancel>
      </Form>
    </Dialog>
  );
}

interface DeleteViewProps {
  view: SavedView;
  page: SavedView['page'];
  onClose(): void;
}

function DeleteView({ view, page, onClose }: DeleteViewProps) {
  const { client } = useSession();
  const reload = useReload();
  return (
    <ConfirmDialog
      question={`Delete ${view.name}?`}
      consequence={view.is_shared ? 'All members will lose this view.' : 'Only the view is deleted.'}
      action="Delete view"
      onConfirm={async () => {
        await client.delete(path`/api/ext/saved-views/${view.id}`);
        await reload(URL);
        goTo(buildHref([page]));
      }}
      onClose={onClose}
    />
  );
}

/** Whether two sets of filters are equal, in any order. */
function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
