import styles from './archive.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { Section } from '../components/page/section.tsx';
import { DataTabs } from '../data/data-tabs.tsx';
import { usePermission } from '../session/use-permission.ts';
import { ExportForm } from './export-form.tsx';
import { ImportForm } from './import-form.tsx';
import { JobList } from './job-list.tsx';
import { useArchiveJobs } from './use-archive-jobs.ts';

adoptStyles(styles);

/** Page on which the user exports and imports conversations. */
export function ArchivePage() {
  const { add, ...jobs } = useArchiveJobs();
  const mayWrite = usePermission()('archive:write', 'admin');
  const isEmpty = jobs.data?.length === 0;
  const list = <LoadedView loaded={jobs}>{(all) => <JobList jobs={all} />}</LoadedView>;
  return (
    <Page title="Archive" tabs={<DataTabs current="archive" />}>
      {!isEmpty && list}
      {mayWrite && (
        <div className="settings">
          <Section
            title="Export"
            description="Exports conversations, their messages and their contacts. You can import them here or in another workspace."
          >
            <ExportForm onStarted={add} />
          </Section>
          <Section title="Import" description="Adds the conversations in an archive to this workspace.">
            <ImportForm onStarted={add} />
          </Section>
        </div>
      )}
      {isEmpty && list}
    </Page>
  );
}
