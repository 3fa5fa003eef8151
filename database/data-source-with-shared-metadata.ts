import { DataSource, type MigrationInterface } from 'typeorm';

let builder: Promise<DataSource> | undefined;

/**
 * A data source that takes its entities' metadata from the first one of the process. TypeORM builds about 90 of them in 12
 * to 40 ms of CPU, and they depend on no address or pool. All sources of a process must name the same entities,
 * and be of one database type. The `dataSource` of metadata is the first one: use that of the repository.
 */
export class DataSourceWithSharedMetadata extends DataSource {
  protected override async buildMetadatas(): Promise<void> {
    builder ??= super.buildMetadatas().then(() => this);
    const built = await builder;
    if (built === this) return;
    const { entityMetadatas, entityMetadatasMap } = built;
    const classes = (this.options.migrations ?? []) as (new () => MigrationInterface)[];
    const migrations = classes.map((Migration) => new Migration());
    Object.assign(this, { migrations, entityMetadatas, entityMetadatasMap });
  }
}
