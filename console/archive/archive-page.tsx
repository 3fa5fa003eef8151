import { DataTabs } from '../data/data-tabs.tsx';
import { usePermission } from '../session/use-permission.ts';
import { LoadedView } from '../components/loaded-view.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { ExportForm } from './export-form.tsx';
import { ImportForm } from './import-form.tsx';
import { JobList } from './job-list.tsx';
import { useArchiveJobs } from './use-archive-jobs.ts';

/** Page on which the user exports and imports conversations. */
export function ArchivePage() {
  const { add, ...jobs } = useArchiveJobs();
  const mayWrite = usePermission()('archive:write', 'admin');
  return (
    <Page title="Archive">
      <DataTabs current="archive" />
      {mayWrite && (
        <>
          <Section title="Export">
            <ExportForm onStarted={add} />
          </Section>
          <Section title="Import">
            <ImportForm onStarted={add} />
          </Section>
        </>
      )}
      <Section title="Exports and imports of the last 30 days">
        <LoadedView loaded={jobs}>{(list) => <JobList jobs={list} />}</LoadedView>
      </Section>
    </Page>
  );
}
